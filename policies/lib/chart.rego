# METADATA
# title: The chart of a release
# description: The chart's name, and whether a chart of that name holds data.
package remedy.lib.chart

# The last element of a path.
last(path) := parts[count(parts) - 1] if {
	parts := split(trim_suffix(path, "/"), "/")
}

# Reports whether the chart holds data, or the cluster depends on it: by what it renders if that is
# known, else because law.statefulCharts lists it.
default stateful := false

stateful if input.stateful
