package effective

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
)

// mask hides what Secrets supply.
type mask struct {
	secrets variables.Secrets
	// settings reports whether Secrets supply fields other than the values.
	settings bool
}

// findKeys looks for what Secrets supply in the names of fields; inSpec is true below spec, but not
// in values.
func (m *mask) findKeys(supplied []string, v any, inSpec bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			found := holding(key, supplied)
			m.secrets = append(m.secrets, found...)
			m.settings = m.settings || inSpec && len(found) > 0
			m.findKeys(supplied, inner, key == "spec" || inSpec && key != "values")
		}
	case []any:
		for _, item := range v {
			m.findKeys(supplied, item, inSpec)
		}
	}
}

// holding returns those of some texts that another one holds.
func holding(text string, supplied []string) []string {
	var out []string
	for _, value := range supplied {
		if text == value || len(value) >= variables.ShortSecret && strings.Contains(text, value) {
			out = append(out, value)
		}
	}
	return out
}

// Mask replaces what Secrets supply in a text about the release.
func (m *mask) Mask(text string) string {
	return m.secrets.Mask(text)
}

// MaskValue returns a copy of a value of the release with what Secrets supply
// replaced, numbers too.
func (m *mask) MaskValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[m.Mask(key)] = m.MaskValue(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = m.MaskValue(v[i])
		}
		return out
	case string:
		return m.Mask(v)
	case nil:
		return nil
	}
	if slices.Contains(m.secrets, fmt.Sprint(v)) {
		return variables.FromSecret
	}
	return v
}

// MaskDegree returns how bad a finding of the release is, or zero if that may tell a
// setting that a Secret supplies.
func (m *mask) MaskDegree(degree float64) float64 {
	if m.settings {
		return 0
	}
	return degree
}
