package variables

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Variables are the variables that spec.postBuild of a Flux Kustomization defines.
type Variables struct {
	// On is true if variables are substituted: some are defined or may be, or
	// spec.postBuild.substituteStrategy is Always.
	On     bool
	Values map[string]string
	// From holds the definition of each variable by name.
	From map[string]Definition
	// Copied is what the build copies from Secrets without variables.
	Copied Secrets

	// unknown holds, by variable, why its value is not known although it is defined.
	unknown map[string]string
	// open is why there may be more variables; "" if all are known.
	open string
}

// Key returns a key that is equal for variables that substitute equally.
func (v *Variables) Key() [sha256.Size]byte {
	if !v.On {
		return [sha256.Size]byte{}
	}
	content, _ := json.Marshal([]any{v.Values, v.unknown, v.open}) // strings only
	return sha256.Sum256(content)
}

// Definition is the place where a variable is defined.
type Definition struct {
	What string // for people: "ConfigMap flux-system/settings"
	// Source is the reference of substituteFrom; nil for spec.postBuild.substitute.
	Source *Reference
}

// FromSecret stands for a text that a Secret supplies. ShortSecret is the length from
// which such a text is found inside of words.
const (
	FromSecret  = "(from a Secret)"
	ShortSecret = 6
)

// Secret reports whether a Secret supplies the value.
func (d Definition) Secret() bool { return d.Source != nil && d.Source.Kind == "Secret" }

// Reference is an entry of spec.postBuild.substituteFrom, with the object it refers to.
type Reference struct {
	Kind, Namespace, Name string
	// Optional is true if Flux does without the object.
	Optional bool
	Object   map[string]any
	// Missing is why there is no object.
	Missing string
	// Absent is true if the cluster does not have the object, and Flux does without it.
	Absent bool
}

// variableName matches the names that the controller accepts for variables.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`) })

// References returns the entries of spec.postBuild.substituteFrom in order, without
// their objects.
func References(ks map[string]any) []Reference {
	var out []Reference
	list, _ := object.At(ks, "spec", "postBuild", "substituteFrom").([]any)
	for _, item := range list {
		out = append(out, Reference{Kind: object.String(item, "kind"), Namespace: object.Namespace(ks), Name: object.String(item, "name"), Optional: object.At(item, "optional") == true})
	}
	return out
}

// Of returns the variables of spec.postBuild of a Flux Kustomization, given the
// objects that it refers to.
func Of(ks map[string]any, references []Reference) Variables {
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

// forget makes a variable unknown.
func (v *Variables) forget(name, reason string) {
	delete(v.Values, name)
	v.unknown[name] = reason
}

// leaveOpen records why there may be more variables, and that those of earlier
// references may have other values: the last reference wins.
// Source: github.com/fluxcd/pkg/kustomize, LoadVariables.
func (v *Variables) leaveOpen(reason string) {
	v.open, v.On = reason, true
	for _, name := range slices.Sorted(maps.Keys(v.Values)) {
		v.forget(name, reason+", and may hold another value than "+v.From[name].What)
	}
}

// take reads the variables of a ConfigMap or a Secret.
func (v *Variables) take(r *Reference) {
	if r.Absent {
		return
	}
	from := Definition{What: fmt.Sprintf("%s %s/%s", r.Kind, r.Namespace, r.Name), Source: r}
	if r.Object == nil {
		v.leaveOpen(from.What + " " + r.Missing)
		return
	}
	open := object.At(r.Object, "data", OpenKey) != nil || object.At(r.Object, "stringData", OpenKey) != nil
	if open {
		v.leaveOpen(from.What + " takes some from elsewhere")
	}
	for _, field := range []string{"data", "stringData"} {
		data, _ := r.Object[field].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(data)) {
			text, isText := data[name].(string)
			switch {
			case name == OpenKey:
				continue
			case open:
				v.forget(name, from.What+" may take another value from elsewhere")
				continue
			case !isText:
				v.forget(name, from.What+" holds no text here, which the API server refuses")
				continue
			}
			v.entry(name, text, field == "data" && r.Object["kind"] == "Secret", r.Object["sops"] != nil, from)
		}
	}
}

// entry reads one entry of a ConfigMap or a Secret.
func (v *Variables) entry(name, text string, encoded, encrypted bool, from Definition) {
	if encrypted || strings.HasPrefix(text, "ENC[") {
		v.forget(name, from.What+" is encrypted")
		return
	}
	if encoded {
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			v.forget(name, from.What+" holds no base64 here")
			return
		}
		text = string(decoded)
	}
	v.define(name, text, from)
}
