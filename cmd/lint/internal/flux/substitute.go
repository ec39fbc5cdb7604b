package flux

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst"
	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"
)

// variables are what spec.postBuild of a Flux Kustomization defines.
type variables struct {
	// on tells whether anything is substituted at all.
	on     bool
	values map[string]string
	// unknown gives for each variable that exists but whose value is not in
	// the tree the reason why.
	unknown map[string]string
	// open says why there may be more variables; "" if there are none.
	open string
	// from says where each is defined.
	from map[string]varSource
}

// varSource is an object that defines variables; for those that the
// Kustomization defines itself it is nil.
type varSource struct {
	what string
	applied
}

// marker stands for the value of a variable that is not known. It can be
// substituted like a value, and says afterwards which fields depend on it.
const (
	marker      = "flux-remedy-unknown."
	otherMarker = "flux-remedy-other-unknown."
)

var markers = regexp.MustCompile(`flux-remedy-unknown\.(\w+)\.`)

// variableName is what the controller takes for the name of a variable.
var variableName = regexp.MustCompile(`^[_[:alpha:]][_[:alpha:][:digit:]]*$`)

func markerOf(prefix, name string) string { return prefix + name + "." }

// unknownIn gives the names of the variables that a value depends on and that
// are not known.
func unknownIn(text string) []string {
	var out []string
	for _, m := range markers.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// variablesOf reads spec.postBuild; find gives a ConfigMap or Secret, or the reason
// why there is none.
func variablesOf(ks map[string]any, find func(kind, namespace, name string) (found applied, reason string)) variables {
	v := variables{values: map[string]string{}, unknown: map[string]string{}, from: map[string]varSource{}}
	postBuild, _ := nested(ks, "spec", "postBuild").(map[string]any)
	v.on = postBuild["substituteStrategy"] == "Always"
	namespace, _ := nested(ks, "metadata", "namespace").(string)
	references, _ := postBuild["substituteFrom"].([]any)
	for _, item := range references {
		kind, _ := nested(item, "kind").(string)
		name, _ := nested(item, "name").(string)
		what := fmt.Sprintf("%s %s/%s", kind, namespace, name)
		found, reason := find(kind, namespace, name)
		if found.object == nil {
			v.open, v.on = what+" "+reason, true
			continue
		}
		v.take(found, what)
	}
	inline, _ := postBuild["substitute"].(map[string]any)
	for name, value := range inline {
		text, ok := value.(string)
		if !ok {
			continue
		}
		v.define(name, text, varSource{what: "Kustomization " + nameOf(ks)})
	}
	v.on = v.on || len(v.values)+len(v.unknown) > 0
	return v
}

func (v *variables) define(name, value string, from varSource) {
	v.values[name], v.from[name] = strings.ReplaceAll(value, "\n", ""), from
	delete(v.unknown, name)
	for _, unknown := range unknownIn(value) {
		v.unknown[unknown] = "its value is not in the tree"
	}
}

// take reads the variables of a ConfigMap or a Secret.
func (v *variables) take(found applied, what string) {
	source, object := varSource{what, found}, found.object
	encrypted := object["sops"] != nil
	for _, field := range []string{"data", "stringData"} {
		data, _ := object[field].(map[string]any)
		for name, value := range data {
			text, _ := value.(string)
			if encrypted || strings.HasPrefix(text, "ENC[") {
				delete(v.values, name)
				v.unknown[name] = what + " is encrypted"
				continue
			}
			if field == "data" && object["kind"] == "Secret" {
				decoded, err := base64.StdEncoding.DecodeString(text)
				if err != nil {
					v.unknown[name] = what + " holds no base64 here"
					continue
				}
				text = string(decoded)
			}
			v.define(name, text, source)
		}
	}
}

// substitute puts the variables in an object, as kustomize-controller does.
// What depends on an unknown variable holds its marker afterwards; reasons
// says of each such variable why it is not known.
func (v *variables) substitute(res *resource.Resource) (object map[string]any, reasons map[string]string, err error) {
	if !v.on || substitutionOff(res) {
		object, err = objectOf(res)
		return object, nil, err
	}
	data, err := res.AsYAML()
	if err != nil {
		return nil, nil, err
	}
	text := string(data)
	if reasons, err = v.missing(text); err != nil {
		return nil, nil, err
	}
	if object, err = v.run(text, reasons, marker); err != nil || len(reasons) == 0 {
		return object, nil, err
	}
	other, err := v.run(text, reasons, otherMarker)
	if err != nil {
		return nil, nil, err
	}
	object, _ = mark(object, other, reasons).(map[string]any)
	return object, reasons, nil
}

// missing finds the variables that a text needs and that have no known value.
// One that no source defines is needed only where there is no default.
func (v *variables) missing(text string) (map[string]string, error) {
	reasons, needed := map[string]string{}, map[string]bool{}
	for {
		var undefined string
		_, err := envsubst.Eval(text, func(name string) (string, bool) {
			if value, ok := v.values[name]; ok || !variableName.MatchString(name) {
				return value, true
			}
			if reason, ok := v.unknown[name]; ok {
				reasons[name] = reason
			} else if v.open != "" {
				reasons[name] = v.open
			} else if !needed[name] {
				undefined = name
				return "", false
			}
			return markerOf(marker, name), true
		})
		if err == nil {
			return reasons, nil
		}
		if undefined == "" || needed[undefined] {
			return nil, fmt.Errorf("variables cannot be substituted: %w", err)
		}
		needed[undefined] = true
		reasons[undefined] = "no source defines it"
	}
}

// run does to the text of an object what SubstituteVariables of
// github.com/fluxcd/pkg/kustomize does, with markers in the place of what is
// not known.
func (v *variables) run(text string, reasons map[string]string, prefix string) (map[string]any, error) {
	for name := range v.values {
		if !variableName.MatchString(name) {
			return nil, fmt.Errorf("%q is no name of a variable", name)
		}
	}
	out, err := envsubst.Eval(text, func(name string) (string, bool) {
		if _, unknown := reasons[name]; unknown {
			return markerOf(prefix, name), true
		}
		return v.values[name], true
	})
	if err != nil {
		return nil, fmt.Errorf("variables cannot be substituted: %w", err)
	}
	var object map[string]any
	return object, yaml.Unmarshal([]byte(out), &object)
}

// mark gives a, with a marker wherever it differs from b and holds none: the
// value was made from an unknown one, such as by ${NAME/x/y}.
func mark(a, b any, reasons map[string]string) any {
	switch a := a.(type) {
	case map[string]any:
		other, _ := b.(map[string]any)
		for key := range a {
			a[key] = mark(a[key], other[key], reasons)
		}
		return a
	case []any:
		other, _ := b.([]any)
		for i := range a {
			if i < len(other) {
				a[i] = mark(a[i], other[i], reasons)
			}
		}
		return a
	}
	if text, ok := a.(string); a == b || ok && markers.MatchString(text) {
		return a
	}
	names := slices.Sorted(maps.Keys(reasons))
	return markerOf(marker, names[0])
}

const substituteKey = "kustomize.toolkit.fluxcd.io/substitute"

func substitutionOff(res *resource.Resource) bool {
	return res.GetLabels()[substituteKey] == fluxkustomize.DisabledValue ||
		res.GetAnnotations()[substituteKey] == fluxkustomize.DisabledValue
}

// objectOf gives a resource in the shape that encoding/json gives.
func objectOf(res *resource.Resource) (map[string]any, error) {
	data, err := res.MarshalJSON()
	if err != nil {
		return nil, err
	}
	var object map[string]any
	return object, json.Unmarshal(data, &object)
}
