package rules

import (
	_ "embed"
	"strings"
)

//go:embed charts.tsv
var charts string

// Chart is a popular chart, and what an uninstall with its own values does to data.
type Chart struct {
	Name string
	// Fate says what an uninstall does to the chart's data: "deletes" or "keeps"; "nothing" if it has none.
	Fate string
	// What says of which data, and Source in which repository and version.
	What, Source string
}

// Charts returns the popular charts that are known, by name: rows of charts.tsv. Those that hold data
// are statefulCharts of the default law.
func Charts() []Chart {
	var out []Chart
	for line := range strings.Lines(charts) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		out = append(out, Chart{cells[0], cells[1], cells[2], cells[3]})
	}
	return out
}

func statefulCharts() []string {
	var out []string
	for _, c := range Charts() {
		if c.Fate != "nothing" {
			out = append(out, c.Name)
		}
	}
	return out
}
