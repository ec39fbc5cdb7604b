package effective

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

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
	for _, k := range r.chain { // findings name them
		r.secrets = append(append(r.secrets, holding(object.Name(k.Object), supplied)...), holding(object.Namespace(k.Object), supplied)...)
		if name := object.Name(k.Object); len(holding(name, supplied)) == 0 && supplied.Mask(name) != name {
			r.secrets = append(r.secrets, name) // with a short one as a word of it
		}
	}
	r.findKeys(supplied, r.Object, false)
	object.Leaves(nil, r.Object, func(at release.Path, v any) {
		text, before := fmt.Sprint(v), len(r.secrets)
		r.secrets = append(r.secrets, holding(text, supplied)...)
		if usesSecret(&r.origins, at) || at[0] == "metadata" && supplied.Mask(text) != text && !r.literal(at, text) {
			r.secrets = append(r.secrets, text)
		}
		if len(r.secrets) > before && len(at) > 1 && at[0] == "spec" && at[1] != "values" {
			r.settings = true
		}
	})
	r.secrets = r.secrets.Forms()
}

// literal reports whether a field of the release is in its own document as it is in effect.
func (r *Release) literal(at release.Path, text string) bool {
	return r.own.Doc != nil && r.own.Doc.Text(slices.Concat(r.own.Path, at)...) == text
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

// ID returns the name of the release, as far as it may be told.
func (r *Release) ID() release.Name {
	return release.Name{Namespace: r.Mask(r.Namespace), Name: r.Mask(r.Name)}
}
