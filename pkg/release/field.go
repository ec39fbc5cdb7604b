package release

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

var fieldStep = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:([A-Za-z_][A-Za-z0-9_-]*)|\[([0-9]+)\]|\[("(?:[^"\\]|\\.)*")\])`)
})

// ParseField reads a path as [Path.String] writes it.
func ParseField(text string) (Path, error) {
	var out Path
	for rest := text; rest != ""; {
		step := fieldStep().FindStringSubmatch(rest)
		switch {
		case step == nil:
			return nil, errors.New("want a path such as spec.upgrade.remediation.retries")
		case step[1] != "":
			out = append(out, step[1])
		case step[2] != "":
			i, err := strconv.Atoi(step[2])
			if err != nil {
				return nil, fmt.Errorf("index %s is too large", step[2])
			}
			out = append(out, i)
		default:
			key, err := strconv.Unquote(step[3])
			if err != nil {
				return nil, fmt.Errorf("%s: %w", step[3], err)
			}
			out = append(out, key)
		}
		rest = rest[len(step[0]):]
		if dotted, ok := strings.CutPrefix(rest, "."); ok && dotted != "" {
			rest = dotted
		}
	}
	return out, nil
}

//go:embed fields.txt
var fieldsText string

// apiFields are the types of the fields below spec, in the newest version of the API, by their names as in a
// [SchemaVersion].
var apiFields = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(fieldsText) {
		name, of, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[name] = of
	}
	return out
})

// APIFields lists the fields below spec of a HelmRelease, in the newest version of the API,
// by their paths. What is in lists and maps is left out.
func APIFields() []Path {
	var out []Path
	for _, name := range slices.Sorted(maps.Keys(apiFields())) {
		at := Path{"spec"}
		for step := range strings.SplitSeq(name, ".") {
			at = append(at, step)
		}
		if !slices.Contains(at, any("*")) {
			out = append(out, at)
		}
	}
	return out
}

// MayHold reports whether a field of spec may have others in it. It has none if the API wants a
// number, a text or a duration there.
func MayHold(at Path) bool {
	return !slices.Contains([]string{"boolean", "integer", "string", "duration"}, apiFields()[fieldName(at)])
}
