package effective

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// mask hides what Secrets supply.
type mask struct {
	secrets variables.Secrets
	// settings reports whether Secrets supply fields other than the values.
	settings bool
}

// findSecrets looks for what the Secrets of the Kustomizations that apply a release
// supply. A value that is equal counts as theirs, however it came there.
// They may have come from another one by a copy.
func (r *Release) findSecrets(copied variables.Secrets) {
	supplied := slices.Clone(copied)
	for _, k := range r.chain {
		supplied = append(supplied, k.Variables.Secrets()...)
	}
	if len(supplied) == 0 {
		return
	}
	r.findKeys(supplied, r.Object, false)
	object.Leaves(nil, r.Object, func(at release.Path, v any) {
		text, before := fmt.Sprint(v), len(r.secrets)
		r.secrets = append(r.secrets, holding(text, supplied)...)
		if usesSecret(&r.origins, at) {
			r.secrets = append(r.secrets, text)
		}
		if len(r.secrets) > before && len(at) > 1 && at[0] == "spec" && at[1] != "values" {
			r.settings = true
		}
	})
	r.secrets = r.secrets.Forms()
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

// usesSecret reports whether a field is written with a variable that a Secret supplies.
func usesSecret(r *origins, at release.Path) bool {
	origin, ok := r.writerOf(at)
	text, isText := origin.Value.(string)
	if !ok || !isText {
		return false
	}
	for _, m := range variables.Use().FindAllStringSubmatch(text, -1) {
		for _, k := range r.chain {
			if k.Variables.From[m[1]].Secret() {
				return true
			}
		}
	}
	return false
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

// ID returns the name of the release, as far as it may be told.
func (r *Release) ID() release.Name {
	return release.Name{Namespace: r.Mask(r.Namespace), Name: r.Mask(r.Name)}
}
