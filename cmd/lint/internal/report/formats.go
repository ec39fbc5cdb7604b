package report

import (
	"io"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Format is a way to write reports and, if it has one, diffs.
type Format struct {
	Name string
	// Lines reports whether other lines may stand beside it: people read on, and
	// GitHub looks for annotations among them.
	Lines bool
	// Whole reports whether it holds every finding, whatever [Options.MinSeverity]
	// says: it is read by a tool, or can be searched.
	Whole bool
	// Exact reports whether its encoding holds any string, so that those of a report
	// are written as they are. The other formats get them as [plain.Line] makes them.
	Exact bool
	// Hunks reports whether it shows [Finding.Hunks].
	Hunks bool
	// Decided reports whether it shows [Release.DecidedBy].
	Decided bool
	// Bare reports whether it has no place for what judged: a tool reads its lines or
	// a list, and nothing else.
	Bare bool

	report func(io.Writer, Report, Options) error
	diff   func(io.Writer, Diff, Options) error // nil if a diff is not written so
}

// formats in the order in which they are listed, the default first.
var formats = []Format{
	{Name: "text", Lines: true, report: writeText, diff: writeDiffText},
	{Name: "json", Whole: true, Exact: true, Decided: true, report: writeReportJSON, diff: writeDiffJSON},
	{Name: "compact", Lines: true, Bare: true, report: writeCompact},
	{Name: "sarif", Whole: true, Hunks: true, report: writeSARIF, diff: writeDiffSARIF},
	{Name: "github", Lines: true, Hunks: true, report: writeGitHub, diff: writeDiffGitHub},
	{Name: "gitlab", Hunks: true, Bare: true, report: writeGitLab},
	{Name: "junit", report: writeJUnit},
	{Name: "markdown", report: writeMarkdown, diff: writeDiffMarkdown},
	{Name: "patch", Exact: true, Bare: true, report: writePatch},
	{Name: "html", Whole: true, Decided: true, report: writeHTML},
	{Name: "counts", Whole: true, report: writeCounts, diff: writeDiffCounts},
}

// Formats lists the formats of a [Report], the default first.
func Formats() []Format { return slices.Clone(formats) }

// DiffFormats lists the formats of a [Diff], the default first.
func DiffFormats() []Format {
	return slices.DeleteFunc(Formats(), func(f Format) bool { return f.diff == nil })
}

// Write writes a report.
func (f Format) Write(w io.Writer, r Report, opts Options) error {
	if opts.MinSeverity != "" && !f.Whole {
		r = r.without(opts.MinSeverity)
	}
	if !f.Exact {
		r, opts = plain.Copy(r, plain.Line), opts.plain()
	}
	return f.report(w, r, opts)
}

// WriteDiff writes a diff. The format must be one of [DiffFormats].
func (f Format) WriteDiff(w io.Writer, d Diff, opts Options) error {
	if opts.MinSeverity != "" && !f.Whole {
		d = d.without(opts.MinSeverity)
	}
	if !f.Exact {
		d, opts = plain.Copy(d, plain.Line), opts.plain()
	}
	return f.diff(w, d, opts)
}

// writeReportJSON writes a report with its causes, as docs/report.schema.json describes it.
func writeReportJSON(w io.Writer, r Report, _ Options) error {
	var counted []CountedCause
	for _, c := range causes(r.Findings) {
		counted = append(counted, c.counted())
	}
	frame := r
	frame.Releases, frame.Causes, frame.Findings = r.Releases[:0], []CountedCause{}, r.Findings[:0]
	return plain.WriteJSON(w, frame, plain.ListOf("releases", r.Releases), plain.ListOf("causes", counted), plain.ListOf("findings", r.Findings))
}

// writeDiffJSON writes a diff as docs/diff.schema.json describes it.
func writeDiffJSON(w io.Writer, d Diff, _ Options) error { return plain.WriteJSON(w, d) }
