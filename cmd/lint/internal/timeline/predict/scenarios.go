package predict

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// Names returns each scenario as NAME, tab, title, the form that shells complete.
func Names() []string {
	var names []string
	for _, s := range forecast.Scenarios() {
		names = append(names, s.Name+"\t"+s.Title)
	}
	return names
}

// Events returns each event as NAME, tab, what happens.
func Events() []string {
	var names []string
	for _, e := range forecast.Events() {
		names = append(names, string(e)+"\t"+e.Description())
	}
	return names
}

// List writes the scenarios and the events for people.
func List(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, s := range forecast.Scenarios() {
		fmt.Fprintf(w, "%s\t%s\n", s.Name, s.Description)
	}
	fmt.Fprintf(w, "\nEvents, for --then:\n")
	for _, e := range Events() {
		fmt.Fprintln(w, e)
	}
	return w.Flush()
}
