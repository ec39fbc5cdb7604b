package effective

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// findSecrets looks for what the Secrets of the Kustomizations that apply a release
// supply. A value that is equal counts as theirs, however it came there.
func (r *Release) findSecrets() {
	var supplied build.Secrets
	for _, k := range r.origins.chain {
		for name, from := range k.Variables.From {
			if from.Secret() && k.Variables.Values[name] != "" {
				supplied = append(supplied, k.Variables.Values[name])
			}
		}
	}
	if len(supplied) == 0 {
		return
	}
	r.findKeys(supplied, r.Object, false)
	object.Leaves(nil, r.Object, func(at release.Path, v any) {
		text, before := fmt.Sprint(v), len(r.secrets)
		r.secrets = append(r.secrets, holding(text, supplied)...)
		if r.usesSecret(at) {
			r.secrets = append(r.secrets, text)
		}
		if len(r.secrets) > before && len(at) > 1 && at[0] == "spec" && at[1] != "values" {
			r.secretSettings = true
		}
	})
	r.secrets = r.secrets.Forms()
}

// findKeys looks for what Secrets supply in the names of fields; inSpec is true below spec, but not
// in values.
func (r *Release) findKeys(supplied []string, v any, inSpec bool) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			found := holding(key, supplied)
			r.secrets = append(r.secrets, found...)
			r.secretSettings = r.secretSettings || inSpec && len(found) > 0
			r.findKeys(supplied, inner, key == "spec" || inSpec && key != "values")
		}
	case []any:
		for _, item := range v {
			r.findKeys(supplied, item, inSpec)
		}
	}
}

// holding returns those of some texts that another one holds.
func holding(text string, supplied []string) []string {
	var out []string
	for _, value := range supplied {
		if text == value || len(value) >= build.ShortSecret && strings.Contains(text, value) {
			out = append(out, value)
		}
	}
	return out
}

// usesSecret reports whether a field is written with a variable that a Secret supplies.
func (r *Release) usesSecret(at release.Path) bool {
	origin, ok := r.origins.writerOf(at)
	text, isText := origin.Value.(string)
	if !ok || !isText {
		return false
	}
	for _, m := range build.VariableUse().FindAllStringSubmatch(text, -1) {
		for _, k := range r.origins.chain {
			if k.Variables.From[m[1]].Secret() {
				return true
			}
		}
	}
	return false
}

// Mask replaces what Secrets supply in a text about the release.
func (r *Release) Mask(text string) string {
	return r.secrets.Mask(text)
}

// MaskValue returns a copy of a value of the release with what Secrets supply
// replaced, numbers too.
func (r *Release) MaskValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key := range v {
			out[r.Mask(key)] = r.MaskValue(v[key])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = r.MaskValue(v[i])
		}
		return out
	case string:
		return r.Mask(v)
	case nil:
		return nil
	}
	if slices.Contains(r.secrets, fmt.Sprint(v)) {
		return build.FromSecret
	}
	return v
}

// MaskDegree returns how bad a finding of the release is, or zero if that may tell a
// setting that a Secret supplies.
func (r *Release) MaskDegree(degree float64) float64 {
	if r.secretSettings {
		return 0
	}
	return degree
}

// ID returns the name of the release, as far as it may be told.
func (r *Release) ID() release.Name {
	return release.Name{Namespace: r.Mask(r.Namespace), Name: r.Mask(r.Name)}
}
