package audit

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Formats are the output formats.
func Formats() []report.Format {
	return append(MergedFormats(), formatsOf(KindNames()...)...)
}

// MergedFormats are those of a report that was made of others.
func MergedFormats() []report.Format { return formatsOf("text", "json", "jsonl", "markdown", "html") }

func formatsOf(names ...string) []report.Format {
	return words.Of(names, func(name string) report.Format { return report.Format{Name: name} })
}

// Write writes a report in a format. Only the text goes by the size of a screen, only the page
// says which version of the program wrote it.
func Write(w io.Writer, format string, r Report, on screen, version string) error {
	switch format {
	case "text":
		return writeText(w, plain.Copy(r, plain.Line), on)
	case "json":
		all := r.Releases
		r.Releases = []Release{}
		return plain.WriteJSON(w, r, plain.ListOf("releases", all))
	case "jsonl":
		all := r.Releases
		r.Releases = []Release{}
		if err := WriteLines(w, all); err != nil {
			return err
		}
		return plain.WriteJSONLine(w, r)
	case "markdown":
		return writeMarkdown(w, plain.Copy(r, plain.Line))
	case "html":
		return writeHTML(w, plain.Copy(r, plain.Line), version)
	}
	if kind, ok := kindOf(format); ok {
		return kind.print(w, r)
	}
	return fmt.Errorf("unknown format %q", format)
}

// WriteLines writes each release in a line of JSON. After the lines of all comes that of the report without them, so
// that a reader knows whether there is more.
func WriteLines(w io.Writer, releases []Release) error {
	for i := range releases {
		if err := plain.WriteJSONLine(w, &releases[i]); err != nil {
			return err
		}
	}
	return nil
}

// streams reports whether an output is written while clusters are asked.
func streams(out output.Output) bool { return out.Format.Name == "jsonl" && out.File == "" }

// Streams reports whether lines of releases are written to standard output while clusters are asked.
func (o *Options) Streams() bool {
	outputs, err := output.Parse(o.Outputs, Formats())
	return err == nil && o.File == "" && slices.ContainsFunc(outputs, streams)
}

// Write writes all that is asked for of a report.
func (o *Options) Write(w io.Writer, r Report, version string, now time.Time) error {
	outputs, err := output.Parse(o.Outputs, Formats())
	if err != nil {
		return err
	}
	for _, out := range outputs {
		on := screen{document.Screen{Width: o.Width, Height: o.Height}}
		if o.Whole || out.File != "" {
			on = screen{}
		}
		r := r
		if o.Streamed && streams(out) {
			r.Releases = nil
		}
		if err := out.Write(w, func(w io.Writer) error { return Write(w, out.Format.Name, r, on, version) }); err != nil {
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
	return WriteMetrics(o.MetricsFile, r, now)
}

// counts are the lines that count: clusters, then all. Where there are no
// releases it is said elsewhere.
func (r Report) counts() []string {
	lines := r.clusters()
	if chosen := r.chosen(); chosen.narrow() {
		line := "only " + chosen.String()
		if n := r.Summary.Of; n > 0 {
			line += fmt.Sprintf(": %d of %s", len(r.Releases), words.Count(n, "HelmRelease"))
		}
		lines = append(lines, line)
	}
	if len(r.Releases) > 0 {
		lines = append(lines, r.Summary.String())
	}
	for _, text := range []string{r.standing(), r.unfollowed()} {
		if text != "" {
			lines = append(lines, text)
		}
	}
	return append(lines, r.revive()...)
}

// revive names the command that plans what revives all stuck releases of a cluster, where there are several.
func (r Report) revive() []string {
	var commands []string
	for _, c := range r.Clusters {
		if c.ByPhase[Stuck] > 1 && c.revive != "" && !r.chosen().narrow() {
			commands = append(commands, c.revive)
		}
	}
	if len(commands) == 0 {
		return nil
	}
	return []string{"once the causes are gone, plan the revival of all that is stuck: " + words.First(commands, most, "cluster")}
}

// mostClusters is how many clusters are counted each by itself, whatever is in them.
const mostClusters = 20

// clusters count each of several clusters. Of many it names those that could not be read, then
// those where something needs somebody, and counts the others.
func (r Report) clusters() []string {
	if len(r.Clusters) < 2 {
		return nil
	}
	var silent, unread, lines []string
	well := 0
	for _, c := range r.Clusters {
		switch many := len(r.Clusters) > mostClusters; {
		case many && c.Incomplete && c.Releases == 0:
			silent = append(silent, c.Name)
		case many && c.Incomplete:
			unread = append(unread, c.String())
		case many && c.ByPhase[Stuck]+c.ByPhase[Interrupted] == 0:
			well++
		default:
			lines = append(lines, c.String())
		}
	}
	if len(silent) > 0 {
		unread = append([]string{fmt.Sprintf("%d of %d clusters could not be read: %s", len(silent), len(r.Clusters), strings.Join(silent, ", "))}, unread...)
	}
	if well > 0 {
		lines = append(lines, fmt.Sprintf("in %d of %d clusters nothing is stuck or interrupted", well, len(r.Clusters)))
	}
	return append(unread, lines...)
}

// unwell returns the releases that are not Ready, and those that are meant not to be.
func (r Report) unwell() []Release {
	return slices.DeleteFunc(slices.Clone(r.Releases), func(one Release) bool { return one.Phase == Ready })
}

// alone returns the releases that are not Ready for a reason of their own.
func (r Report) alone() []Release {
	return slices.DeleteFunc(r.unwell(), func(one Release) bool { return one.follows() })
}

// label names a release and, if it is known, its cluster.
func (r Release) label() string {
	if r.Cluster == "" {
		return r.Name.String()
	}
	return r.Cluster + ": " + r.Name.String()
}

// details say of a release what matters besides its state.
func (r Release) details() []string {
	var all []string
	if len(r.Unfamiliar) > 0 {
		all = append(all, "unknown "+strings.Join(r.Unfamiliar, ", ")+": a newer helm-controller may go on otherwise than is said here")
	}
	for i, chain := range r.HeldUpBy[:min(len(r.HeldUpBy), most)] {
		all = append(all, fmt.Sprintf("%-7s %s", words.Once(i, "held"), chain))
	}
	if r.Since != "" {
		since := strings.TrimSuffix("since   "+utc(r.Since)+", failed attempts: "+fmt.Sprint(r.Failures), ", failed attempts: 0")
		if r.After != "" {
			since += ", after: " + r.After
		}
		all = append(all, since)
	}
	if r.Pending != "" {
		all = append(all, "helm    has it as "+r.Pending)
	}
	if r.Limit != "" {
		all = append(all, "stuck   "+r.Limit)
	}
	for i, next := range r.Next {
		all = append(all, fmt.Sprintf("%-7s %s", words.Once(i, "next"), next))
	}
	if r.Deletes != "" && !strings.Contains(r.Risk, r.Deletes) {
		all = append(all, "data    an uninstall "+r.Deletes)
	}
	if r.Action != "" {
		all = append(all, "revive  once the cause is gone: "+r.Action+"; risk "+r.Risk)
	}
	return all
}

// drift are the lines on what is not as Git says.
func (r Report) drift() []string {
	var lines []string
	for _, one := range r.Releases {
		if one.NotInGit {
			lines = append(lines, one.label()+" is not in the repository")
		}
		for i, d := range one.Drift {
			if i == 0 {
				lines = append(lines, one.label()+" is not as Git says")
			}
			lines = append(lines, "  "+d.String())
		}
	}
	for _, m := range r.Missing {
		lines = append(lines, fmt.Sprintf("%s is not on the cluster: %s:%d", Release{Name: m.Name, Cluster: m.Cluster}.label(), m.File, m.Line))
	}
	if r.Undetermined > 0 {
		lines = append(lines, fmt.Sprintf("undetermined in the repository: %d; releases may come from there that Git does not show", r.Undetermined))
	}
	return lines
}

// String says how a field differs, and who set it.
func (d Drift) String() string {
	line := d.Path + ": "
	switch {
	case d.Git == "" && d.Cluster == "":
		line += "set on the cluster"
	case d.Git == "":
		line += d.Cluster + ", not set in Git"
	case d.Cluster == "":
		line += fmt.Sprintf("not set, Git says %s (%s:%d)", d.Git, d.File, d.Line)
	default:
		line += fmt.Sprintf("%s, Git says %s (%s:%d)", d.Cluster, d.Git, d.File, d.Line)
	}
	if len(d.By) > 0 {
		return line + "; set by " + strings.Join(d.By, ", ") + " " + utc(d.At)
	}
	return line + "; not applied yet, or from another revision"
}

// group are the releases of which one rule reports something.
type group struct {
	Rule     string
	Severity rules.Severity
	N        int
	Releases string // the first of them
}

// most is how many releases a line names.
const most = 5

// byRule groups the findings that nothing waives and that are no infos, the worst first.
func (r Report) byRule() []group {
	type key struct {
		rule     string
		severity rules.Severity
	}
	found := map[key][]string{}
	for _, one := range r.Releases {
		label := one.label()
		for _, f := range one.Findings {
			if k := (key{f.Rule, f.Severity}); f.Waived == nil && f.Severity.AtLeast(rules.Warning) && (len(found[k]) == 0 || found[k][len(found[k])-1] != label) {
				found[k] = append(found[k], label)
			}
		}
	}
	var all []group
	for k, names := range found {
		slices.Sort(names)
		all = append(all, group{k.rule, k.severity, len(names), words.First(names, most, "")})
	}
	slices.SortFunc(all, func(a, b group) int {
		return cmp.Or(cmp.Compare(slices.Index(rules.Severities, a.Severity), slices.Index(rules.Severities, b.Severity)), cmp.Compare(a.Rule, b.Rule))
	})
	return all
}

// String counts in a line.
func (s Summary) String() string {
	line := fmt.Sprintf("HelmReleases: %s; errors: %d, warnings: %d, infos: %d", counted(s.Releases, s.ByPhase), s.Errors, s.Warnings, s.Infos)
	if s.Known > 0 {
		line += fmt.Sprintf(", known: %d", s.Known)
	}
	if s.Waived > 0 {
		line += fmt.Sprintf(", waived: %d", s.Waived)
	}
	return line
}

// String counts in a line.
func (c Cluster) String() string {
	line := c.Name + ": "
	switch {
	case c.Releases > 0:
		line += "HelmReleases: " + counted(c.Releases, c.ByPhase)
	case c.Incomplete:
		return line + "could not be read"
	default:
		line += "no HelmReleases"
	}
	if c.Incomplete {
		line += ", not all could be read"
	}
	return line
}

// counted is a number, and of how many phases it is made.
func counted(n int, by map[Phase]int) string {
	var counts []string
	for _, p := range phases {
		if n := by[p]; n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, p))
		}
	}
	return fmt.Sprintf("%d (%s)", n, strings.Join(counts, ", "))
}
