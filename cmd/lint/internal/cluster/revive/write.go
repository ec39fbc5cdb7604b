package revive

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Report is a plan and what came of it. Its JSON is read by other tools: names stay.
type Report struct {
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	Kind       string `json:"kind" jsonschema:"enum=RevivalReport"`
	// Cluster is the context; absent in a pod.
	Cluster string `json:"cluster,omitempty"`
	// Acted is true if the requests were to be made, and not only planned.
	Acted bool `json:"acted"`
	// Steps are the releases that were asked for.
	Steps []Step `json:"steps"`
}

// Formats lists the output formats.
func Formats() []string { return []string{"text", "json"} }

// progress returns where is written what happens, as it happens: JSON comes at the end.
func progress(out io.Writer, format string) io.Writer {
	if format == "json" {
		return io.Discard
	}
	return out
}

// report writes what is written at the end.
func (o *Options) report(out io.Writer, c *live.Cluster, steps []Step) error {
	if o.Format != "json" {
		return nil
	}
	return plain.WriteJSON(out, Report{APIVersion: rules.ConfigAPIVersion, Kind: "RevivalReport", Cluster: c.Name, Acted: o.Yes, Steps: steps})
}

// write writes a plan: what is done to each release, and what is left alone and why.
func write(w io.Writer, steps []Step) {
	for _, s := range plain.Copy(steps, plain.Line) {
		if s.Do == "" {
			fmt.Fprintf(w, "%s is left alone: %s\n", s.Release, s.Left)
			continue
		}
		fmt.Fprintf(w, "%s is %s\n  do      %s\n          then %s", s.Release, s.State, s.Do, forecast.Way{Then: s.Then, Otherwise: s.Otherwise}.Effect())
		if s.Risk != "" {
			fmt.Fprintf(w, "; risk %s", s.Risk)
		}
		fmt.Fprintln(w)
		for i, name := range s.First {
			fmt.Fprintf(w, "  %-7s %s, which it depends on\n", words.Once(i, "first"), name)
		}
		if s.HoldsUp != nil {
			fmt.Fprintf(w, "  holds   up %s\n", s.HoldsUp)
		}
		for i, command := range s.Afterwards {
			fmt.Fprintf(w, "  %-7s %s\n", words.Once(i, "after"), command)
		}
	}
}

// summary counts what came of the steps.
func (r *runner) summary() string {
	var all []string
	for _, what := range results {
		if n := r.count[what]; n > 0 {
			all = append(all, fmt.Sprintf("%s: %d", resultWords[what], n))
		}
	}
	return strings.Join(all, ", ")
}
