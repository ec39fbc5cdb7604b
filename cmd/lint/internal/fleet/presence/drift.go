package presence

import (
	"reflect"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// Drifted returns an object as it is on the cluster if spec.ignore of its Kustomization, ks, keeps fields
// of it as they were in the base of a change; nil if it is as it is written.
// Source: computeDriftedPaths and applyDriftResult in manager_apply.go of github.com/fluxcd/pkg/ssa.
func Drifted(ks, obj, was map[string]any) map[string]any {
	if was == nil {
		return nil
	}
	var mixed map[string]any
	rules, _ := object.At(ks, "spec", "ignore").([]any)
	for _, rule := range rules {
		paths, _ := object.At(rule, "paths").([]any)
		for _, path := range paths {
			text, _ := path.(string)
			if mixed == nil {
				mixed = runtime.DeepCopyJSON(obj)
			}
			if selects(rule, obj) {
				adopt(mixed, was, pointer(text))
				adopt(trace.Of(mixed), trace.Of(was), pointer(strings.TrimPrefix(text, "/spec")))
			}
		}
	}
	if mixed == nil || reflect.DeepEqual(trace.Without(mixed), trace.Without(obj)) {
		return nil
	}
	return mixed
}

// pointer returns the steps of a JSON pointer.
func pointer(text string) []string {
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	steps := strings.Split(strings.TrimPrefix(text, "/"), "/")
	for i, step := range steps {
		steps[i] = unescape.Replace(step)
	}
	return steps
}

// adopt sets a value that an object writes to the one that it had, or removes it.
func adopt(obj, was any, steps []string) {
	inner := func(v any, step string) any {
		if list, ok := v.([]any); ok {
			if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(list) {
				return list[i]
			}
			return nil
		}
		return object.At(v, step)
	}
	for ; len(steps) > 1; steps = steps[1:] {
		obj, was = inner(obj, steps[0]), inner(was, steps[0])
	}
	value := runtime.DeepCopyJSONValue(inner(was, steps[0]))
	switch in := obj.(type) {
	case map[string]any:
		if _, written := in[steps[0]]; written && value == nil {
			delete(in, steps[0])
		} else if written {
			in[steps[0]] = value
		}
	case []any:
		if i, err := strconv.Atoi(steps[0]); err == nil && i >= 0 && i < len(in) {
			in[i] = value
		}
	}
}

// selects reports whether a rule of spec.ignore may be about an object. Selectors of labels and
// annotations are not looked at.
func selects(rule any, obj map[string]any) bool {
	target, _ := object.At(rule, "target").(map[string]any)
	selector := &types.Selector{}
	selector.Kind, selector.Name, selector.Namespace = object.String(target, "kind"), object.String(target, "name"), object.String(target, "namespace")
	regex, err := types.NewSelectorRegex(selector)
	return err != nil || regex.MatchGvk(resid.Gvk{Kind: object.String(obj, "kind")}) &&
		regex.MatchName(object.Name(obj)) && regex.MatchNamespace(object.Namespace(obj))
}
