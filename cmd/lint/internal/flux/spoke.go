package flux

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// A hub has Kustomizations with spec.kubeConfig: what they apply lives in
// another cluster, a spoke. The objects that are looked up are those of the
// cluster that the Flux Kustomization itself lives in, for its controller reads
// variables and sources from there.
// Source: kustomize-controller, getSource and SubstituteVariables use the
// manager's client, only the applying uses the one of spec.kubeConfig.

// home names the cluster that a Kustomization lives in.
func (c *cluster) home(k *kustomization) string {
	if k.parent == nil {
		return c.name
	}
	return c.runner(k.parent)
}

// runner names the cluster that a Kustomization applies to, whose controllers
// act on what it applies.
func (c *cluster) runner(k *kustomization) string {
	name := c.home(k)
	if spoke := spokeOf(k.object); spoke != "" {
		name = strings.TrimPrefix(name+"/"+c.local(k, spoke), "/")
	}
	return name
}

// local names a spoke: as its kubeconfig is named, with its namespace if that
// is not the one of the entry, so that the name does not depend on what other
// spokes there are.
func (c *cluster) local(k *kustomization, spoke string) string {
	namespace, _ := nested(k.object, "metadata", "namespace").(string)
	if entry, _ := nested(c.entries[0].object, "metadata", "namespace").(string); namespace == entry || namespace == "" || entry == "" {
		return spoke
	}
	return spoke + "@" + markers.ReplaceAllString(namespace, "$${$1}")
}

// spokeOf names what a Kustomization finds its cluster by; "" if it applies to
// the one that it lives in. One Secret may hold several under different keys.
func spokeOf(ks map[string]any) string {
	for _, ref := range []string{"secretRef", "configMapRef"} {
		name, ok := nested(ks, "spec", "kubeConfig", ref, "name").(string)
		if !ok {
			continue
		}
		if key, ok := nested(ks, "spec", "kubeConfig", ref, "key").(string); ok && key != "value" && key != "value.yaml" {
			name += ":" + key // those two are what it takes without a key
		}
		return markers.ReplaceAllString(name, "$${$1}")
	}
	return ""
}

// inside gives the Kustomizations that lead to one within the cluster that it
// applies to, innermost first: for a spoke, from the one that leads there.
func inside(k *kustomization) []*kustomization {
	chain := k.chain()
	if i := slices.IndexFunc(chain, func(k *kustomization) bool { return spokeOf(k.object) != "" }); i >= 0 {
		return chain[:i+1]
	}
	return chain
}

// controllerOf gives the helm-controller of a cluster, as far as the tree tells:
// a FluxInstance that is applied beats the one that the entry was read from.
func (c *cluster) controllerOf(name string) release.Controller {
	var out release.Controller
	if name == c.name {
		out = c.controller
	}
	for _, object := range slices.Concat(c.ofKind(name, "HelmRelease"), c.ofKind(name, "FluxInstance")) {
		if spec := instanceIn(object); spec != nil {
			out = patchInstance(c.l.tmp, spec, syncObject("GitRepository", "flux-system", "flux-system", "")).controller
		}
	}
	for _, object := range c.ofKind(name, "Deployment") {
		found := helmController(object)
		if out.Version == "" {
			out.Version = found.Version
		}
		for gate, on := range found.Gates {
			if out.Gates == nil {
				out.Gates = release.Gates{}
			}
			out.Gates[gate] = on
		}
	}
	return out
}

// ofKind gives the objects of a kind in a cluster, in a stable order.
func (c *cluster) ofKind(name, kind string) []map[string]any {
	var out []map[string]any
	for _, key := range sortedKeys(c.objects[name]) {
		if strings.HasPrefix(key, kind+"/") {
			out = append(out, c.objects[name][key].object)
		}
	}
	return out
}
