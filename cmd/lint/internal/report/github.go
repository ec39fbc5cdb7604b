package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	return writeAnnotations(w, append(r.annotations(opts), remarkNotices(remarks(r.Releases, r.Controllers))...), r.InForce, opts.Ends)
}

// writeDiffGitHub annotates the places of what is new or worse.
func writeDiffGitHub(w io.Writer, d Diff, opts Options) error {
	all := d.gained().annotations(opts)
	for _, group := range d.inherited() {
		f := group[0]
		all = append(all, annotate("notice", f.File, f.Line, f.Column, f.Rule, "known cause: "+knownCause(group)+" reaches "+reached(group)))
	}
	notices := d.Remarks
	if len(d.Existing) > 0 {
		notices = slices.Concat([]string{existingHead(d.Base) + ":"}, existing(d.Existing), notices)
	}
	return writeAnnotations(w, append(all, remarkNotices(notices)...), d.Policy.InForce, opts.Ends)
}

func (r Report) annotations(opts Options) []annotation {
	all := annotationsOf(problemLines(r.Problems))
	all = append(all, words.Of(blocks(planned(r.Findings)), opts.annotation)...)
	all = append(all, annotationsOf(undeterminedLines(folded(opts.listed(r.Undetermined)), "undetermined"))...)
	all = append(all, annotationsOf(unappliedLines(opts.listed(r.Unapplied), "unapplied"))...)
	for _, l := range r.notices() {
		all = append(all, annotate("notice", l.File, l.Line, 0, "flux-remedy", l.Message))
	}
	return all
}

func annotationsOf(all []Line) []annotation {
	return words.Of(all, func(l Line) annotation {
		return annotate(annotationKinds[l.Severity], l.File, l.Line, l.Column, l.Head, l.Message)
	})
}

// annotation shows a block at its first place.
func (o Options) annotation(b block) annotation {
	f := b.first()
	lines := append([]string{b.happens()}, b.setBy()...)
	if unset := missing(f); unset != "" && b.causes[0].site() == nil {
		lines = append(lines, strings.TrimSpace(unset))
	}
	for _, fact := range b.facts() {
		lines = append(lines, fact[0]+" "+fact[1])
	}
	help, write := o.help(b)
	lines = append(append(lines, "help: "+help), write...)
	if of := b.releases(mostNames); of != "" {
		lines = append(lines, "releases: "+of)
	}
	if places := b.places(mostNames, strings.Clone); places != "" {
		lines = append(lines, b.elsewhereLabel()+": "+places)
	}
	file, line, column := f.File, f.Line, f.Column
	if site := b.causes[0].site(); site != nil {
		file, line, column = site.File, site.Line, 0
	}
	return annotate(annotationKinds[f.Severity], file, line, column, o.title(f)+" ["+f.Rule+"]", strings.Join(lines, "\n"))
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
// judged is a line of the log: an annotation would take the room of another. Why the run fails is one where no error says it.
func writeAnnotations(w io.Writer, all []annotation, by rules.InForce, ends string) error {
	if ends != "" && !slices.ContainsFunc(all, func(a annotation) bool { return a.kind == "error" }) {
		all = append(all, annotation{"error", "::error title=flux-remedy::" + data.Replace(ends)})
	}
	total := map[string]int{}
	for _, a := range all {
		total[a.kind]++
	}
	full := max(total["error"], total["warning"], total["notice"]) > annotationLimit
	room := map[string]int{"error": annotationLimit, "warning": annotationLimit, "notice": annotationLimit}
	out := bufio.NewWriter(w)
	if full {
		fmt.Fprintf(out, "::notice title=flux-remedy::annotations of errors: %d, of warnings: %d, of infos: %d: the worst %d of each are shown, as many as GitHub shows of a step\n",
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
