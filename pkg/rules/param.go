package rules

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// Param is a parameter of a rule.
type Param struct {
	Type        ParamType `json:"type"`
	Default     any       `json:"default"`
	Description string    `json:"description"`
}

// ParamType is the type of a parameter's value as the configuration writes it.
type ParamType string

// The types of parameters. Rego sees a duration as a number of seconds.
const (
	ParamInteger  ParamType = "integer"
	ParamDuration ParamType = "duration"
	ParamStrings  ParamType = "strings"
)

// value checks a value of the configuration and returns it as Rego sees it.
func (p Param) value(written any) (any, error) {
	switch p.Type {
	case ParamInteger:
		if n, ok := integer(written); ok {
			return n, nil
		}
		return nil, fmt.Errorf("%v is no whole number", written)
	case ParamDuration:
		text, _ := written.(string)
		d, err := time.ParseDuration(text)
		if err != nil {
			return nil, fmt.Errorf("%v is no duration such as 90s or 2h", written)
		}
		return d.Seconds(), nil
	case ParamStrings:
		list, ok := written.([]any)
		if !ok || slices.ContainsFunc(list, func(v any) bool { _, ok := v.(string); return !ok }) {
			return nil, fmt.Errorf("%v is no list of strings", written)
		}
		return list, nil
	}
	return nil, fmt.Errorf("unknown type %q: want integer, duration or strings", p.Type)
}

// number returns the number of a value; NaN, which is no more and no less than any, if it has none.
func (p Param) number(written any) float64 {
	switch value, _ := p.value(written); n := value.(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return math.NaN()
}

// schema returns the JSON Schema of the value that Rego sees.
func (p Param) schema() map[string]any {
	if p.Type == ParamStrings {
		return map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
	}
	return map[string]any{"type": "number"}
}

func integer(v any) (int64, bool) {
	switch n := v.(type) {
	case int64:
		return n, true
	case float64:
		return int64(n), n == float64(int64(n))
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}
