package draft

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

var hunkHeader = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`) })

// patchLine is a line of a unified diff, with its numbers in the old and the new
// file.
type patchLine struct {
	text     string // after its mark
	mark     byte   // ' ', '-' or '+'
	old, new int
	hidden   bool
}

// shownHunks returns the hunks of a change without the lines that must not be shown, at which
// context ends. It reports false if git needs one of them.
func shownHunks(old, new []byte) (text string, whole bool) {
	var out strings.Builder
	for _, run := range runs(changedLines(old, new)) {
		switch {
		case !run.changes():
		case run.shown(len(bytes.SplitAfter(bytes.TrimSuffix(old, []byte("\n")), []byte("\n")))):
			out.WriteString(run.String())
		default:
			return "", false
		}
	}
	return out.String(), true
}

// masked shows the lines of a change to people, as comments between patches: "***" stands for
// what must not be shown.
func masked(old, new []byte) string {
	var out strings.Builder
	out.WriteString("# The change above, for people; *** is what may hold a secret:\n")
	for _, l := range changedLines(old, new) {
		text := strings.TrimRight(strings.SplitN(l.text, "\n", 2)[0], "\r")
		if l.hidden {
			text = text[:len(text)-len(strings.TrimLeft(text, " "))] + "***"
		}
		fmt.Fprintf(&out, "# %c%s\n", l.mark, plain.Line(text))
	}
	return out.String()
}

// changedLines returns the lines of a file that a change touches, and some around them.
func changedLines(old, new []byte) []patchLine {
	_, hunks, _ := bytes.Cut(diff.Diff("", old, "", new), []byte("\n+++ \n"))
	return minimal(patchLines(hunks, hidden(old), hidden(new)))
}

// patchLines numbers the lines of a diff.
func patchLines(diff []byte, hideOld, hideNew []bool) []patchLine {
	var lines []patchLine
	old, new := 0, 0
	for line := range strings.Lines(string(diff)) {
		if m := hunkHeader().FindStringSubmatch(line); m != nil {
			old, _ = strconv.Atoi(m[1])
			new, _ = strconv.Atoi(m[2])
			continue
		}
		if line[0] == '\\' {
			lines[len(lines)-1].text += line // no newline at the end of the file
			continue
		}
		l := patchLine{mark: line[0], text: line[1:], old: old, new: new}
		if l.mark != '+' {
			l.hidden = old < len(hideOld) && hideOld[old]
			old++
		}
		if l.mark != '-' {
			l.hidden = l.hidden || new < len(hideNew) && hideNew[new]
			new++
		}
		lines = append(lines, l)
	}
	return lines
}

// run is a part of a diff with nothing left out in between.
type run []patchLine

// runs cuts a diff where lines are left out: between hunks, and at context that is
// hidden.
func runs(lines []patchLine) []run {
	var out []run
	var current run
	for i, l := range lines {
		gap := i > 0 && l.mark == ' ' && lines[i-1].mark == ' ' && l.old != lines[i-1].old+1
		if gap || l.mark == ' ' && l.hidden {
			out, current = append(out, current), nil
		}
		if l.mark != ' ' || !l.hidden {
			current = append(current, l)
		}
	}
	return append(out, current)
}

func (r run) changes() bool { return r.count('+')+r.count('-') > 0 }

func (r run) count(mark byte) int {
	n := 0
	for _, l := range r {
		if l.mark == mark {
			n++
		}
	}
	return n
}

// shown reports whether no line is hidden, and git apply finds the place: it wants
// context at the end of a hunk that is not at the end of the file.
func (r run) shown(lines int) bool {
	for _, l := range r {
		if l.hidden {
			return false
		}
	}
	last := r[len(r)-1]
	return last.mark == ' ' || last.mark == '-' && last.old == lines || last.mark == '+' && last.old > lines
}

// String returns a hunk.
func (r run) String() string {
	var b strings.Builder
	context := r.count(' ')
	fmt.Fprintf(&b, "@@ -%s +%s @@\n", extent(r[0].old, context+r.count('-')), extent(r[0].new, context+r.count('+')))
	for _, l := range r {
		b.WriteString(string(l.mark) + l.text)
	}
	return b.String()
}

// extent writes where a side of a hunk begins and how long it is. One without lines
// begins on the line before.
func extent(line, n int) string {
	if n == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, n)
}
