package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// annotationLimit is how many annotations of a kind GitHub shows of a step.
const annotationLimit = 10

// annotation is a workflow command that annotates a pull request. It holds text only: a
// suggestion that can be committed is a review comment, which takes a client.
type annotation struct{ kind, text string }

// writeGitHub writes annotations, the worst first, as many as GitHub shows.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func writeGitHub(w io.Writer, r Report, opts Options) error {
	return writeAnnotations(w, append(r.annotations(opts), remarkNotices(remarks(r.Releases))...), r.InForce)
}

// writeDiffGitHub annotates the places of what is new or worse.
func writeDiffGitHub(w io.Writer, d Diff, opts Options) error {
	all := d.gained().annotations(opts)
	for _, group := range d.inherited() {
		f := group[0]
		all = append(all, annotate("notice", f.File, f.Line, f.Column, f.Rule, "known cause: "+knownCause(group)+" reaches "+reached(group)))
	}
	return writeAnnotations(w, append(all, remarkNotices(d.Remarks)...), d.Policy.InForce)
}

func (r Report) annotations(opts Options) []annotation {
	var all []annotation
	for _, p := range r.Problems {
		all = append(all, annotate("error", p.File, p.Line, p.Column, p.Head(), p.Message))
	}
	for _, b := range blocks(planned(r.Findings)) {
		all = append(all, opts.annotation(b))
	}
	for _, u := range folded(r.Undetermined) {
		all = append(all, annotate("warning", u.File, u.Line, 0, "undetermined", reasonOf(u)))
	}
	for _, u := range unappliedPlaces(r.Unapplied) {
		all = append(all, annotate("notice", u.File, u.Line, 0, "unapplied", u.Reason))
	}
	for _, n := range r.notices() {
		all = append(all, annotate("notice", n.file, n.line, 0, "flux-remedy", n.text))
	}
	return all
}

// annotation shows a block at its first place.
func (o Options) annotation(b block) annotation {
	f := b.first()
	said := []string{b.happens()}
	said = append(said, b.setBy()...)
	if unset := missing(f); unset != "" && b[0].site() == nil {
		said = append(said, strings.TrimSpace(unset))
	}
	if f.Forecast != nil {
		said = append(said, "forecast "+f.Forecast.Scenario+": "+f.Forecast.Outcome.Brief())
	}
	if of := b.heldUp(); of != "" {
		said = append(said, "holds up "+of)
	}
	help, lines := o.help(b)
	said = append(append(said, "help: "+help), lines...)
	if of := b.releases(mostNames); of != "" {
		said = append(said, "releases: "+of)
	}
	if places := b.places(mostNames, strings.Clone); places != "" {
		said = append(said, b.elsewhereLabel()+": "+places)
	}
	file, line, column := f.File, f.Line, f.Column
	if site := b[0].site(); site != nil {
		file, line, column = site.File, site.Line, 0
	}
	return annotate(annotationKinds[f.Severity], file, line, column, o.title(f)+" ["+f.Rule+"]", strings.Join(said, "\n"))
}

// remarkNotices returns all remarks as one annotation without a place, for there is room
// for few.
func remarkNotices(remarks []string) []annotation {
	if len(remarks) == 0 {
		return nil
	}
	return []annotation{{"notice", "::notice title=flux-remedy::" + data.Replace(strings.Join(remarks, "\n"))}}
}

// writeAnnotations writes the first of each kind, and counts all if some have no room. What
// judged is a line of the log: an annotation would take the room of another.
func writeAnnotations(w io.Writer, all []annotation, by rules.InForce) error {
	total := map[string]int{}
	for _, a := range all {
		total[a.kind]++
	}
	full := max(total["error"], total["warning"], total["notice"]) > annotationLimit
	room := map[string]int{"error": annotationLimit, "warning": annotationLimit, "notice": annotationLimit}
	out := bufio.NewWriter(w)
	if full {
		fmt.Fprintf(out, "::notice title=flux-remedy::places with errors: %d, with warnings: %d, with infos: %d: the worst %d of each are annotated, as many as GitHub shows of a step\n",
			total["error"], total["warning"], total["notice"], annotationLimit)
		room["notice"]--
	}
	for _, a := range all {
		if room[a.kind]--; room[a.kind] >= 0 {
			fmt.Fprintln(out, a.text)
		}
	}
	if judged := by.Judged(); judged != "" {
		fmt.Fprintln(out, "flux-remedy: "+judged)
	}
	return out.Flush()
}

// annotationKinds are those of the severities.
var annotationKinds = map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "notice"}

func annotate(kind, file string, line, column int, title, message string) annotation {
	properties := "file=" + property.Replace(strings.TrimPrefix(file, "./"))
	if line > 0 {
		properties += fmt.Sprintf(",line=%d", line)
	}
	if column > 0 {
		properties += fmt.Sprintf(",col=%d", column)
	}
	return annotation{kind, fmt.Sprintf("::%s %s,title=%s::%s", kind, properties, property.Replace(title), data.Replace(message))}
}

// What workflow commands escape in a message, and in a property.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
