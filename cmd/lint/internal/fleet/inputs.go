package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// providers returns the ResourceSetInputProviders that a ResourceSet takes inputs from, in
// the order in which flux-operator takes them, or why these are not known: only a static
// one says itself what it provides, and a selector may select what is not in the tree.
// Source: github.com/controlplaneio-fluxcd/flux-operator, resourcesetinputprovider_controller.go.
func (l *lookup) providers(cluster string, set map[string]any) ([]map[string]any, error) {
	list, _ := object.At(set, "spec", "inputsFrom").([]any)
	found := map[string]map[string]any{}
	for _, item := range list {
		name := object.String(item, "name")
		if name == "" || object.At(item, "selector") != nil {
			return nil, errors.New("its inputs come from the cluster")
		}
		provider := l.object(cluster, "ResourceSetInputProvider/"+object.Namespace(set)+"/"+name)
		if err := unknownProvider(provider, name); err != nil {
			return nil, err
		}
		found[name] = provider
	}
	var out []map[string]any
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out, nil
}

// unknownProvider returns why it is not known what a provider provides; nil if it is.
func unknownProvider(provider map[string]any, name string) error {
	if provider == nil {
		return fmt.Errorf("its inputs come from ResourceSetInputProvider %s, which nothing in the tree applies to this cluster", name)
	}
	if kind := object.String(provider, "spec", "type"); kind != "Static" {
		return fmt.Errorf("its inputs come from ResourceSetInputProvider %s, whose type %s is not Static", name, kind)
	}
	if object.At(provider, "metadata", "annotations", presence.ReconcileKey) == "disabled" {
		return fmt.Errorf("its inputs come from ResourceSetInputProvider %s, which is disabled", name)
	}
	data, err := json.Marshal(provider)
	if err == nil && len(variables.Unknown(string(data))) > 0 {
		err = fmt.Errorf("its inputs come from ResourceSetInputProvider %s, which depends on a variable that is not known", name)
	}
	return err
}

// render returns the objects that a ResourceSet of a cluster renders, why inputs of them are not known, and an
// error for each part that cannot be rendered.
func (l *lookup) render(cluster string, set map[string]any) (rendered []map[string]any, inputs map[string]string, errs []error) {
	providers, err := l.providers(cluster, set)
	if err != nil {
		return nil, nil, []error{err}
	}
	if len(providers) > 0 {
		inputs = map[string]string{build.InputID: "is made of a UID in the cluster"}
	}
	rendered, errs = l.index.Builder.ResourceSet(set, providers)
	return rendered, inputs, errs
}

// outlives reports whether an object stays that a ResourceSet rendered in the base of a change, and renders no
// more: it says so itself, or the set does nothing, did nothing when it was removed, or cannot be rendered.
// Source: apply and uninstall in resourceset_controller.go of flux-operator.
func (l *lookup) outlives(cluster string, was applied) bool {
	if presence.KeptOfSet(was.object) {
		return true
	}
	now := l.objects[cluster][keyOf(was.set)]
	for _, set := range now {
		if _, _, errs := l.render(cluster, set.object); presence.Idle(set.object) != "" || len(errs) > 0 {
			return true
		}
	}
	return len(now) == 0 && presence.Idle(was.set) != ""
}
