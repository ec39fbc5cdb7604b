package places

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Place is a part of the input: keys, indexes, and nil for any key or index. With [Is] as its last step it
// is not what is there, but whether that is a text.
type Place []any

// Is is the text that something is compared with.
type Is string

// isKey is the key of the text in JSON.
const isKey = "is"

// MarshalJSON writes the text as an object, beside which a key is a string.
func (i Is) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]string{isKey: string(i)}) }

// UnmarshalJSON reads what encoding/json writes of a place.
func (p *Place) UnmarshalJSON(data []byte) error {
	var steps []any
	if err := json.Unmarshal(data, &steps); err != nil {
		return err
	}
	for i, step := range steps {
		switch step := step.(type) {
		case float64:
			steps[i] = int(step)
		case map[string]any:
			text, _ := step[isKey].(string)
			steps[i] = Is(text)
		}
	}
	*p = steps
	return nil
}

func (p Place) String() string {
	out := "input"
	for _, step := range p {
		switch name := step.(type) {
		case nil:
			out += "[_]"
		case string:
			out += regoKey(name)
		case Is:
			out += fmt.Sprintf(" == %q", string(name))
		default:
			out += fmt.Sprintf("[%v]", step)
		}
	}
	return out
}

// regoKey writes a key as a step of a reference.
func regoKey(name string) string {
	if ast.IsVarCompatibleString(name) {
		return "." + name
	}
	return "[" + strings.TrimSpace(ast.String(name).String()) + "]"
}

// Meets reports whether two places are the same, or one is within the other.
func (p Place) Meets(other Place) bool {
	for i := range min(len(p), len(other)) {
		if p[i] != nil && other[i] != nil && p[i] != other[i] {
			return false
		}
	}
	return true
}

// Covers reports whether another place is this one or within it.
func (p Place) Covers(other Place) bool {
	return len(p) <= len(other) && !slices.ContainsFunc(p, func(step any) bool { return step == nil }) && p.Meets(other) && !slices.Contains(other[:len(p)], nil)
}
