package crd

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/release"
)

// unchecked are the fields of an object that its schema does not have: they are the same for every kind.
var unchecked = []string{"apiVersion", "kind", "metadata", "status"}

// MisspeltOrNewer ends what is said of a part of Flux's API that is not known here.
const MisspeltOrNewer = "misspelt, or newer than this program"

// Refusal is why the API server does not take an object.
type Refusal struct {
	// Field is what it does not take, as spec.kubeConfig; empty for the whole object.
	Field string
	// Why follows the field: is no text.
	Why string
	// Newer is true if a newer API may take it.
	Newer bool
}

// String returns the field and why.
func (r *Refusal) String() string { return strings.TrimSpace(r.Field + " " + r.Why) }

// Reading says what of an object may still change before the API server gets it.
type Reading struct {
	// Open reports whether a text is still to be made: what depends on it is not checked.
	Open func(text string) bool
	// Partial is true if fields may still be added: that one is missing is not checked, and neither is
	// what the API checks in CEL.
	Partial bool
}

// Refuses returns why the API server does not take an object; nil if it does, or may.
func (s Schema) Refuses(obj map[string]any, c Reading) *Refusal {
	fields, expressions := maps.Clone(obj), s.Expressions
	for _, field := range unchecked {
		delete(fields, field)
	}
	s.Expressions = nil
	if wrong := c.value("", s, fields); wrong != nil {
		return wrong
	}
	return c.expressions("", expressions, obj)
}

// value checks a value of a field. A null counts as left out where a field of an object has it.
// Source: PruneNonNullableNullsWithoutDefaults of k8s.io/apiextensions-apiserver.
func (c Reading) value(at string, s Schema, v any) *Refusal {
	text, isText := v.(string)
	if isText && c.Open(text) || s.Type == "" && !s.TextOrNumber {
		return nil
	}
	if !s.holds(v) {
		return &Refusal{Field: at, Why: "is no " + s.noun(v)}
	}
	var wrong *Refusal
	switch v := v.(type) {
	case map[string]any:
		wrong = c.object(at, s, v)
	case []any:
		wrong = c.list(at, s, v)
	case string:
		wrong = s.text(at, v)
	default:
		wrong = s.number(at, v)
	}
	if wrong != nil {
		return wrong
	}
	return c.expressions(at, s.Expressions, v)
}

// noun names the type of a schema for people, with what to do about a value.
func (s Schema) noun(v any) string {
	switch s.Type {
	case "string":
		if _, isBool := v.(bool); isBool {
			return "text: put its value in quotes"
		}
		if _, isNumber := numberOf(v); isNumber {
			return "text: put its value in quotes"
		}
		return "text"
	case "array":
		return "list"
	}
	return s.Type
}

func (s Schema) holds(v any) bool {
	if s.Type == "number" {
		_, isNumber := numberOf(v)
		return isNumber
	}
	return release.SchemaField{Type: s.Type}.Breaks(v) != release.BreaksType
}

func numberOf(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func (c Reading) object(at string, s Schema, v map[string]any) *Refusal {
	open := slices.ContainsFunc(slices.Collect(maps.Keys(v)), c.Open)
	for _, key := range slices.Sorted(maps.Keys(v)) {
		below, ok := s.Properties[key]
		switch {
		case c.Open(key):
			continue
		case !ok && s.Additional != nil:
			if wrong := c.value(joined(at, key), *s.Additional, v[key]); wrong != nil {
				return wrong
			}
			continue
		case !ok && (s.AnyField || s.Properties == nil):
			continue
		case !ok:
			return &Refusal{joined(at, key), "is " + MisspeltOrNewer, true}
		}
		if v[key] == nil && below.Type != "" {
			continue
		}
		if wrong := c.value(joined(at, key), below, v[key]); wrong != nil {
			return wrong
		}
	}
	for _, key := range s.Required {
		if v[key] == nil && s.Properties[key].Default == nil && !open && !c.Partial {
			return &Refusal{Field: joined(at, key), Why: "is missing"}
		}
	}
	return nil
}

func (c Reading) list(at string, s Schema, v []any) *Refusal {
	if len(v) < s.MinItems || s.MaxItems > 0 && len(v) > s.MaxItems {
		return &Refusal{Field: at, Why: fmt.Sprintf("has %d items, which is too few or too many", len(v))}
	}
	for i := range v {
		if s.Items == nil {
			break
		}
		if wrong := c.value(fmt.Sprintf("%s[%d]", at, i), *s.Items, v[i]); wrong != nil {
			return wrong
		}
	}
	return nil
}

func (s Schema) text(at, v string) *Refusal {
	length := utf8.RuneCountInString(v)
	switch {
	case s.Enum != nil && !slices.Contains(s.Enum, v):
		return &Refusal{at, "is none of " + strings.Join(s.Enum, ", ") + ": it is " + MisspeltOrNewer, true}
	case length < s.MinLength:
		return &Refusal{Field: at, Why: "is too short"}
	case s.MaxLength > 0 && length > s.MaxLength:
		return &Refusal{Field: at, Why: fmt.Sprintf("has more than %d letters", s.MaxLength)}
	case s.Format == "byte" && !isBase64(v):
		return &Refusal{Field: at, Why: "is not base64"}
	case s.kind() == "duration" && !s.Pattern.matches(v):
		return &Refusal{Field: at, Why: "is no duration such as 5m"}
	case !s.Pattern.matches(v):
		return &Refusal{Field: at, Why: "does not match " + s.Pattern.text}
	}
	return nil
}

func (s Schema) number(at string, v any) *Refusal {
	number, ok := numberOf(v)
	if ok && (s.Minimum != nil && number < *s.Minimum || s.Maximum != nil && number > *s.Maximum || s.Format == "int32" && math.Abs(number) > math.MaxInt32) {
		return &Refusal{Field: at, Why: "is too small or too large"}
	}
	return nil
}

func isBase64(text string) bool {
	_, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "").Replace(text))
	return err == nil
}

// expressions checks what the API checks in CEL. A rule that is not known here counts as kept.
func (c Reading) expressions(at string, all []Expression, v any) *Refusal {
	if c.Partial || len(all) == 0 || c.anyOpen(v) {
		return nil
	}
	for _, e := range all {
		if keeps := keeps[e.Rule]; keeps != nil && !keeps(v) {
			return &Refusal{Field: at, Why: "is refused: " + e.Message}
		}
	}
	return nil
}

func (c Reading) anyOpen(v any) bool {
	switch v := v.(type) {
	case string:
		return c.Open(v)
	case map[string]any:
		for key, below := range v {
			if c.Open(key) || c.anyOpen(below) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, c.anyOpen)
	}
	return false
}
