package variables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/envsubst/parse"
	"sigs.k8s.io/yaml"
)

// InText substitutes the variables in the text of an object, as kustomize-controller does. A value that depends on an
// unknown variable then holds a marker; reasons holds, by variable, why it is unknown. An error with reasons may be one of
// the markers alone.
func (v *Variables) InText(text string) (object map[string]any, reasons map[string]string, err error) {
	if reasons, err = v.missing(text); err != nil {
		return nil, nil, err
	}
	if object, err = v.run(text, reasons, marker); err != nil || len(reasons) == 0 {
		return object, reasons, err
	}
	other, err := v.run(text, reasons, otherMarker)
	if err != nil {
		return nil, reasons, err
	}
	object, _ = mark(object, other, reasons).(map[string]any)
	return object, reasons, nil
}

// Undefined is why the value of a variable is not known that has no default, although all
// that defines variables is known.
const Undefined = "no source defines it"

// missing returns the variables that a text needs and whose value is unknown, with the
// reasons. A variable that nothing defines is needed only where it has no default. Nothing can
// define one whose name is refused, such as ${1}.
func (v *Variables) missing(text string) (map[string]string, error) {
	tree, err := parse.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("variables cannot be substituted: %w", err)
	}
	reasons := map[string]string{}
	eachUse(tree.Root, func(use *parse.FuncNode) {
		_, known := v.Values[use.Param]
		if reason := v.hidden(use.Param); reason != "" {
			reasons[use.Param] = reason
		} else if !known && !slices.Contains(defaults, use.Name) {
			reasons[use.Param] = Undefined
		}
	})
	return reasons, nil
}

// hidden returns why a variable has a value, or may have one, that is not known; "" if that is not so.
func (v *Variables) hidden(name string) string {
	if _, known := v.Values[name]; known || !variableName().MatchString(name) {
		return ""
	}
	return cmp.Or(v.unknown[name], v.open)
}

// defaults are the operators after which a variable may be undefined.
// Source: github.com/fluxcd/pkg/envsubst, isDefaultOp.
var defaults = []string{"-", "+", "=", "?", ":-", ":+", ":=", ":?"}

// eachUse calls f for every use of a variable, also in the default of another one.
func eachUse(node parse.Node, f func(*parse.FuncNode)) {
	switch node := node.(type) {
	case *parse.ListNode:
		for _, inner := range node.Nodes {
			eachUse(inner, f)
		}
	case *parse.FuncNode:
		f(node)
		for _, arg := range node.Args {
			eachUse(arg, f)
		}
	}
}

// run substitutes variables in the text of an object, with markers for unknown ones.
// Source: github.com/fluxcd/pkg/kustomize, SubstituteVariables.
func (v *Variables) run(text string, reasons map[string]string, prefix string) (map[string]any, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	out, err := v.evalWith(text, reasons, prefix)
	if err != nil {
		return nil, fmt.Errorf("variables cannot be substituted: %w", err)
	}
	var object map[string]any
	return object, yaml.Unmarshal([]byte(out), &object)
}

// evalWith substitutes variables in a text, with markers for unknown ones.
func (v *Variables) evalWith(text string, reasons map[string]string, prefix string) (string, error) {
	return eval(text, func(name string) (string, bool) {
		if _, unknown := reasons[name]; unknown && variableName().MatchString(name) {
			return markerOf(prefix, name), true
		}
		return v.Values[name], true
	})
}

// Check refuses what is no name of a variable.
func (v *Variables) Check() error {
	for _, name := range slices.Sorted(maps.Keys(v.Values)) {
		if !variableName().MatchString(name) {
			return fmt.Errorf("%q is no name of a variable", name)
		}
	}
	return nil
}

// mark compares two results of run, made with different markers, and returns a with a
// marker wherever they differ and a has none: that value was made from an unknown one,
// for example by ${NAME/x/y}.
func mark(a, b any, reasons map[string]string) any {
	switch a := a.(type) {
	case map[string]any:
		other, _ := b.(map[string]any)
		for key := range a {
			a[key] = mark(a[key], other[strings.ReplaceAll(key, marker, otherMarker)], reasons)
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
	text, _ := a.(string)
	unknown := func(name string) bool { _, known := reasons[name]; return known }
	if names := Unknown(text); a == b || len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return !unknown(name) }) {
		return a
	}
	return markerOf(marker, slices.Sorted(maps.Keys(reasons))[0])
}
