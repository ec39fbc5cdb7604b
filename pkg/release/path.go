package release

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Path names a field of an object: string keys and int indexes from the root.
type Path []any

var bareKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// String writes the path as Kubernetes does: spec.valuesFrom[0].name, with a
// key that is no plain word in brackets: metadata.annotations["a.b/c"].
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			if !bareKey.MatchString(s) {
				b.WriteString("[" + strconv.Quote(s) + "]")
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s)
		}
	}
	return b.String()
}

// MarshalText gives the form of String.
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePath reads a path as Rego gives it: an array of strings and numbers.
func ParsePath(steps []any) (Path, error) {
	path := make(Path, 0, len(steps))
	for _, step := range steps {
		switch s := step.(type) {
		case string:
			path = append(path, s)
		case float64:
			if s < 0 || s != float64(int(s)) {
				return nil, fmt.Errorf("path holds %v, want an index", s)
			}
			path = append(path, int(s))
		default:
			return nil, fmt.Errorf("path holds %T, want a key or an index", step)
		}
	}
	return path, nil
}
