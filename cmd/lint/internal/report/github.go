package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// writeGitHub writes the workflow commands that annotate a pull request, the
// worst first: GitHub shows ten of each kind for a step.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions
func writeGitHub(w io.Writer, r Report, _ Options) error {
	out := bufio.NewWriter(w)
	for _, p := range r.Problems {
		fmt.Fprintln(out, command("error", p.File, p.Line, p.Column, p.Head(), p.Message))
	}
	for _, group := range worstFirst(groups(r.Findings)) {
		f := group[0]
		message := strings.TrimSuffix(f.Message+"\n"+releases(group), "\n")
		for _, p := range f.Provenance {
			message += "\nset by " + p.written()
		}
		fmt.Fprintln(out, command(annotations[f.Severity], f.File, f.Line, f.Column, f.Rule, message))
	}
	for _, u := range folded(r.Undetermined) {
		fmt.Fprintln(out, command("warning", u.File, u.Line, 0, "undetermined", reasonOf(u)))
	}
	for _, u := range unappliedPlaces(r.Unapplied) {
		fmt.Fprintln(out, command("notice", u.File, u.Line, 0, "unapplied", u.Reason))
	}
	for _, n := range r.notices() {
		fmt.Fprintln(out, command("notice", n.file, n.line, 0, "flux-remedy", n.text))
	}
	out.WriteString(remarkNotice(remarks(r.Releases)))
	return out.Flush()
}

// writeDiffGitHub annotates the places of what is new or worse.
func writeDiffGitHub(w io.Writer, d Diff, opts Options) error {
	if err := writeGitHub(w, d.gained(), opts); err != nil {
		return err
	}
	_, err := io.WriteString(w, remarkNotice(d.Remarks))
	return err
}

// remarkNotice returns all remarks as one annotation without a place, for there is room
// for few.
func remarkNotice(remarks []string) string {
	if len(remarks) == 0 {
		return ""
	}
	return "::notice title=flux-remedy::" + data.Replace(strings.Join(remarks, "\n")) + "\n"
}

var annotations = map[rules.Severity]string{rules.Error: "error", rules.Warning: "warning", rules.Info: "notice"}

func command(name, file string, line, column int, title, message string) string {
	properties := "file=" + property.Replace(strings.TrimPrefix(file, "./"))
	if line > 0 {
		properties += fmt.Sprintf(",line=%d", line)
	}
	if column > 0 {
		properties += fmt.Sprintf(",col=%d", column)
	}
	return fmt.Sprintf("::%s %s,title=%s::%s", name, properties, property.Replace(title), data.Replace(message))
}

// What workflow commands escape in a message, and in a property.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
