package build

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fluxcd/pkg/envsubst"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/yaml"
)

// Substitute substitutes the variables in an object, as kustomize-controller does. A
// value that depends on an unknown variable then holds a marker; reasons holds, by
// variable, why it is unknown.
func (v *Variables) Substitute(res *resource.Resource) (object map[string]any, reasons map[string]string, err error) {
	if !v.On || substitutionOff(res) {
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

// missing returns the variables that a text needs and whose value is unknown, with the
// reasons. A variable that nothing defines is needed only where it has no default.
func (v *Variables) missing(text string) (map[string]string, error) {
	reasons, needed := map[string]string{}, map[string]bool{}
	for {
		var undefined string
		_, err := envsubst.Eval(text, func(name string) (string, bool) {
			if value, ok := v.Values[name]; ok || !variableName.MatchString(name) {
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

// run substitutes variables in the text of an object, with markers for unknown ones.
// Source: github.com/fluxcd/pkg/kustomize, SubstituteVariables.
func (v *Variables) run(text string, reasons map[string]string, prefix string) (map[string]any, error) {
	for _, name := range slices.Sorted(maps.Keys(v.Values)) {
		if !variableName.MatchString(name) {
			return nil, fmt.Errorf("%q is no name of a variable", name)
		}
	}
	out, err := envsubst.Eval(text, func(name string) (string, bool) {
		if _, unknown := reasons[name]; unknown {
			return markerOf(prefix, name), true
		}
		return v.Values[name], true
	})
	if err != nil {
		return nil, fmt.Errorf("variables cannot be substituted: %w", err)
	}
	var object map[string]any
	return object, yaml.Unmarshal([]byte(out), &object)
}

// mark compares two results of run, made with different markers, and returns a with a
// marker wherever they differ and a has none: that value was made from an unknown one,
// for example by ${NAME/x/y}.
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
	return markerOf(marker, slices.Sorted(maps.Keys(reasons))[0])
}

// substituteKey is the label or annotation by which an object is left out.
// Source: github.com/fluxcd/pkg/kustomize, kustomize_varsub.go.
const (
	substituteKey      = "kustomize.toolkit.fluxcd.io/substitute"
	substituteDisabled = "disabled"
)

func substitutionOff(res *resource.Resource) bool {
	return res.GetLabels()[substituteKey] == substituteDisabled || res.GetAnnotations()[substituteKey] == substituteDisabled
}
