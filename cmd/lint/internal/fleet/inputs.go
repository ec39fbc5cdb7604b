package fleet

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// providers returns the ResourceSetInputProviders that a ResourceSet takes inputs from, in
// the order in which flux-operator takes them, or why these are not known: only a static
// one says itself what it provides, and a selector may select what is not in the tree.
// Source: github.com/controlplaneio-fluxcd/flux-operator, resourcesetinputprovider_controller.go.
func (p *pass) providers(cluster string, set map[string]any) ([]map[string]any, error) {
	list, _ := object.At(set, "spec", "inputsFrom").([]any)
	found := map[string]map[string]any{}
	for _, item := range list {
		name := object.String(item, "name")
		if name == "" || object.At(item, "selector") != nil {
			return nil, errors.New("its inputs come from the cluster")
		}
		provider := p.object(cluster, "ResourceSetInputProvider/"+object.Namespace(set)+"/"+name)
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
	if err == nil && len(build.Unknown(string(data))) > 0 {
		err = fmt.Errorf("its inputs come from ResourceSetInputProvider %s, which depends on a variable that is not known", name)
	}
	return err
}
