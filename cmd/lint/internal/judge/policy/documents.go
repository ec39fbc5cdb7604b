package policy

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// objectsIn returns the objects of a file, those of lists too; none of a document that is not YAML.
func objectsIn(file *tree.File) []map[string]any {
	if file == nil {
		return nil
	}
	data, err := file.Data()
	if err != nil {
		return nil
	}
	return objectsOf(data)
}

// listed is the only key of what stands for a document that is a list, such as a patch.
const listed = "[]"

func objectsOf(data []byte) []map[string]any {
	out, _ := decode(data)
	return out
}

// decode returns the objects of a text, and reports whether that are all.
func decode(data []byte) (out []map[string]any, whole bool) {
	parsed, err := yamledit.Parse("", data)
	if err != nil {
		return nil, false
	}
	whole = true
	for _, doc := range parsed.Documents {
		value, err := doc.Decode()
		if whole = whole && err == nil; err != nil {
			continue
		}
		o, _ := value.(map[string]any)
		if list, ok := value.([]any); ok {
			o = map[string]any{listed: list}
		}
		if object.IsList(o) {
			out = append(out, object.Items(o)...)
		} else {
			out = append(out, o)
		}
	}
	return out, whole
}

// mistake returns the first line of a file that cannot be read; 0 if there is none.
func mistake(file *tree.File) int {
	if file == nil {
		return 0
	}
	data, err := file.Data()
	if err != nil {
		return 1
	}
	return mistakeIn(data)
}

func mistakeIn(data []byte) int {
	parsed, err := yamledit.Parse("", data)
	if err != nil {
		return 1
	}
	for _, doc := range parsed.Documents {
		if syntax := new(yamledit.SyntaxError); errors.As(doc.Err, &syntax) {
			return syntax.Line
		}
	}
	return 0
}

// mostMistakes is how many lines are left out of a file that cannot be read.
const mostMistakes = 8

// withoutMistakes returns the objects of a file without the lines that cannot be read. It reports
// false if that are too many, or if one of them may decide how a release recovers. The parser names the line
// of a mistake, or the one behind it: the one without which it gets further is left out.
func withoutMistakes(file *tree.File) ([]map[string]any, bool) {
	data, err := file.Data()
	all, idle := objectsWithoutMistakes(data)
	return all, err == nil && idle
}

func objectsWithoutMistakes(data []byte) ([]map[string]any, bool) {
	idle := true
	for range mostMistakes {
		line := mistakeIn(data)
		if line == 0 {
			all, whole := decode(data)
			return all, idle && whole
		}
		here, left := withoutLine(data, line)
		before, leftBefore := withoutLine(data, line-1)
		if next := mistakeIn(before); next == 0 && mistakeIn(here) > 0 || next > max(mistakeIn(here), line) {
			here, left = before, leftBefore
		}
		data, idle = here, idle && idleLine().MatchString(left)
	}
	return nil, false
}

// idleLine matches lines that do not decide how a release recovers, whatever was meant: those of a few fields,
// marks of a merge, and brackets.
var idleLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s*((apiVersion|kind|interval|retryInterval|timeout|wait|prune|force|namespace|resources)\s*:[^{]*|` +
		`(<<<<<<<|=======|>>>>>>>).*|[\[\]{}"',\s]*)$`)
})

// withoutLine returns a text without a line, counted from 1, and that line.
func withoutLine(data []byte, number int) (rest []byte, line string) {
	lines := bytes.SplitAfter(data, []byte("\n"))
	if number < 1 || number > len(lines) {
		return data, ""
	}
	line = strings.TrimRight(string(lines[number-1]), "\r\n")
	lines[number-1] = nil
	return bytes.Join(lines, nil), line
}
