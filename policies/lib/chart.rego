# METADATA
# title: The chart of a release
# description: The chart's name, and whether a chart of that name holds data.
package remedy.lib.chart

# The name of the chart: the last element of its path, or the name of the chartRef.
name := last if {
	parts := split(trim_suffix(input.object.spec.chart.spec.chart, "/"), "/")
	last := parts[count(parts) - 1]
} else := input.object.spec.chartRef.name

# Reports whether law.statefulCharts lists the chart: it holds data, or the cluster
# depends on it.
stateful if input.stateful
