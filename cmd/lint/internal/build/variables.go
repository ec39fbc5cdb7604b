package build

import (
	"encoding/base64"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Variables are what spec.postBuild of a Flux Kustomization defines.
type Variables struct {
	// On reports whether anything is substituted at all.
	On     bool
	Values map[string]string
	// From says where each is defined.
	From map[string]Definition

	// unknown says of each variable that exists, but whose value is not in the
	// tree, why.
	unknown map[string]string
	// open says why there may be more variables; "" if there are none.
	open string
}

// Definition says what defines a variable.
type Definition struct {
	What string // for people: "ConfigMap flux-system/settings"
	// Source is the reference of substituteFrom; nil for what the Kustomization
	// defines itself.
	Source *Reference
}

// Reference names an object that defines variables, and the object.
type Reference struct {
	Kind, Namespace, Name string
	Object                map[string]any
	// Missing says why there is no object.
	Missing string
}

// VariableUse finds the uses of variables in a text.
var VariableUse = regexp.MustCompile(`\$\{(\w+)`)

// variableName is what the controller takes for the name of a variable.
var variableName = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

// A marker stands for the value of a variable that is not known. It can be
// substituted like a value, and says afterwards which fields depend on it.
const (
	marker      = "flux-remedy-unknown."
	otherMarker = "flux-remedy-other-unknown."
)

// openKey is the key of a ConfigMap or a Secret that may have more keys.
const openKey = "flux-remedy-open"

var markers = regexp.MustCompile(`flux-remedy-unknown\.(\w+)\.`)

func markerOf(prefix, name string) string { return prefix + name + "." }

// Unknown returns the names of the variables that a value depends on and that
// are not known.
func Unknown(text string) []string {
	var out []string
	for _, m := range markers.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// Unmark returns a text with unknown variables written out again.
func Unmark(text string) string { return markers.ReplaceAllString(text, "$${$1}") }

// UnmarkAll does so in every string at and below v, in place.
func UnmarkAll(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = UnmarkAll(v[key])
		}
	case []any:
		for i := range v {
			v[i] = UnmarkAll(v[i])
		}
	case string:
		return Unmark(v)
	}
	return v
}

// References returns the ConfigMaps and Secrets that spec.postBuild names, in
// order; they have no objects yet.
func References(ks map[string]any) []Reference {
	var out []Reference
	list, _ := object.At(ks, "spec", "postBuild", "substituteFrom").([]any)
	for _, item := range list {
		out = append(out, Reference{Kind: object.String(item, "kind"), Namespace: object.Namespace(ks), Name: object.String(item, "name")})
	}
	return out
}

// VariablesOf reads spec.postBuild of a Flux Kustomization, with the objects
// that it names.
func VariablesOf(ks map[string]any, references []Reference) Variables {
	v := Variables{Values: map[string]string{}, From: map[string]Definition{}, unknown: map[string]string{}}
	v.On = object.String(ks, "spec", "postBuild", "substituteStrategy") == "Always"
	for i := range references {
		v.take(&references[i])
	}
	inline, _ := object.At(ks, "spec", "postBuild", "substitute").(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(inline)) {
		if text, ok := inline[name].(string); ok {
			v.define(name, text, Definition{What: "Kustomization " + object.FullName(ks)})
		}
	}
	v.On = v.On || len(v.Values)+len(v.unknown) > 0
	return v
}

func (v *Variables) define(name, value string, from Definition) {
	v.Values[name], v.From[name] = strings.ReplaceAll(value, "\n", ""), from
	delete(v.unknown, name)
	for _, unknown := range Unknown(value) {
		v.unknown[unknown] = "its value is not in the tree"
	}
}

// take reads the variables of a ConfigMap or a Secret.
func (v *Variables) take(r *Reference) {
	from := Definition{What: fmt.Sprintf("%s %s/%s", r.Kind, r.Namespace, r.Name), Source: r}
	if r.Object == nil {
		v.open, v.On = from.What+" "+r.Missing, true
		return
	}
	for _, field := range []string{"data", "stringData"} {
		data, _ := r.Object[field].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(data)) {
			text, _ := data[name].(string)
			if name == openKey {
				v.open, v.On = from.What+" takes some from an address", true
				continue
			}
			v.entry(name, text, field == "data" && r.Object["kind"] == "Secret", r.Object["sops"] != nil, from)
		}
	}
}

// entry reads one entry of a ConfigMap or a Secret.
func (v *Variables) entry(name, text string, encoded, encrypted bool, from Definition) {
	if encrypted || strings.HasPrefix(text, "ENC[") {
		delete(v.Values, name)
		v.unknown[name] = from.What + " is encrypted"
		return
	}
	if encoded {
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			v.unknown[name] = from.What + " holds no base64 here"
			return
		}
		text = string(decoded)
	}
	v.define(name, text, from)
}
