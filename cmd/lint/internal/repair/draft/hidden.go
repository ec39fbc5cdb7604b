package draft

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// hidden returns, for each line of a file counted from 1, whether a patch must not
// show it: it may hold a secret, or steers a terminal or a log. It looks at the text
// alone, since manifests also stand in strings of others, and rather hides too much.
func hidden(data []byte) []bool {
	lines := strings.Split(string(data), "\n")
	out := make([]bool, len(lines)+1)
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		shown := strings.TrimSuffix(strings.ReplaceAll(line, "\t", " "), "\r")
		out[i+1] = out[i+1] || plain.Text(shown) != shown
		switch m := confidential().FindStringSubmatchIndex(line); {
		case operation().MatchString(line):
			hideItem(lines, i, out)
		case m != nil:
			inline := strings.TrimSpace(line[m[len(m)-2]:])
			out[i+1] = out[i+1] || inline != "" && !strings.ContainsAny(inline[:1], "|>#&") && !emptyValue().MatchString(inline)
			hideBlock(lines, i, nesting(inline), out)
		}
	}
	return out
}

// confidential matches a key whose content may be secret: of a Secret, of a
// HelmRelease's values, of a generator. operation matches the path of an operation of a
// JSON patch of these, after its key or on a line of its own.
var (
	confidential = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^|[\s{,"'-])(values|data|stringData|literals)["']?\s*:(\s|$|[{["'])`)
	})
	operation = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(^\s*|\bpath["']?\s*:\s*([!&]\S*\s+)*)["']?/(\S*/)?(values|data|stringData)(/|["',}\s]|$)`)
	})
)

// emptyValue matches a value that holds nothing.
var emptyValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\{\s*\}|\[\s*\]|null|~|""|'')\s*(\s#.*)?$`)
})

// nesting counts the brackets that a text opens and does not close.
func nesting(s string) int {
	return strings.Count(s, "{") + strings.Count(s, "[") - strings.Count(s, "}") - strings.Count(s, "]")
}

// hideBlock hides what is below the key on a line: deeper lines, those of a list,
// and those of open brackets.
func hideBlock(lines []string, key, open int, out []bool) {
	for i := key + 1; i < len(lines); i++ {
		line, at := lines[i], indent(lines[i])
		list := at == indent(lines[key]) && strings.HasPrefix(line[at:], "- ") && !strings.HasPrefix(lines[key][at:], "- ")
		if strings.TrimSpace(line) != "" && at <= indent(lines[key]) && !list && open <= 0 {
			return
		}
		out[i+1] = true
		open += nesting(line)
	}
}

// hideItem hides the item of a list that a line is part of.
func hideItem(lines []string, of int, out []bool) {
	from := of
	for from > 0 && !strings.HasPrefix(strings.TrimSpace(lines[from]), "- ") {
		from--
	}
	to := from + 1
	for to < len(lines) && (strings.TrimSpace(lines[to]) == "" || indent(lines[to]) > indent(lines[from])) {
		to++
	}
	for i := from; i < max(to, of+1); i++ {
		out[i+1] = true
	}
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// anyHidden reports whether one of some lines, counted from 1, must not be shown.
func anyHidden(data []byte, from, to int) bool {
	lines := hidden(data)
	return slices.Contains(lines[min(from, len(lines)):min(to+1, len(lines))], true)
}
