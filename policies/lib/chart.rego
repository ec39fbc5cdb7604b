# METADATA
# title: The chart of a release
# description: What a chart's name tells of what it holds.
package remedy.lib.chart

# The name of the chart, without the path to it in a Git repository.
name := last if {
	parts := split(trim_suffix(input.object.spec.chart.spec.chart, "/"), "/")
	last := parts[count(parts) - 1]
} else := input.object.spec.chartRef.name

# Reports whether the chart holds data or carries the cluster.
stateful if name in input.law.statefulCharts
