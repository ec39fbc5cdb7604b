package release

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Path names a field of an object: its string keys and int indexes from the
// root.
type Path []any

var bareKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`) })

// String returns the path as Kubernetes writes it: spec.valuesFrom[0].name. A
// key that is not a plain word stands in brackets: metadata.annotations["a.b/c"].
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			if !bareKey().MatchString(s) {
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

// MarshalText returns the text of [Path.String].
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePath reads a path from Rego or JSON: an array of strings and numbers. It
// returns an error for other types and for numbers that are not indexes.
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
