package audit

import (
	"io"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/policyreport"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Formats are the output formats.
func Formats() []report.Format {
	return append(overview.Formats(), words.Of(policyreport.Names(), func(name string) report.Format { return report.Format{Name: name} })...)
}

// streams reports whether an output is written while clusters are asked.
func streams(out report.Output) bool { return out.Format.Name == "jsonl" && out.File == "" }

// Streams reports whether lines of releases are written to standard output while clusters are asked.
func (o *Options) Streams() bool {
	outputs, err := report.ParseOutputs(o.Outputs, Formats())
	return err == nil && o.File == "" && slices.ContainsFunc(outputs, streams)
}

// Write writes all that is asked for of a report.
func (o *Options) Write(w io.Writer, r overview.Report, version string, now time.Time) error {
	outputs, err := report.ParseOutputs(o.Outputs, Formats())
	if err != nil {
		return err
	}
	for _, out := range outputs {
		on := document.Screen{Width: o.Width, Height: o.Height}
		if o.Whole || out.File != "" {
			on = document.Screen{}
		}
		r := r
		if o.Streamed && streams(out) {
			r.Releases = nil
		}
		err := out.Write(w, func(w io.Writer) error {
			if kind, ok := policyreport.Find(out.Format.Name); ok {
				return kind.Print(w, r.Releases, r.InForce)
			}
			return overview.Write(w, out.Format.Name, r, on, version)
		})
		if err != nil {
			return err
		}
	}
	if o.WriteBaseline != "" {
		if err := writeBaseline(o.WriteBaseline, r); err != nil {
			return err
		}
	}
	if o.MetricsFile == "" {
		return nil
	}
	return overview.WriteMetrics(o.MetricsFile, r, now)
}
