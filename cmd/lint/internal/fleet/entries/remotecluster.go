package entries

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// A hub has Kustomizations with spec.kubeConfig: what they apply lives in
// another cluster, the target. The objects that are looked up are those of the
// cluster that the Flux Kustomization itself lives in, for its controller reads
// variables and sources from there.
// Source: in kustomize-controller, getSource and SubstituteVariables use the manager's
// client; only applying uses the client of spec.kubeConfig.

// Host names the cluster that a Kustomization lives in.
func (c *Cluster) Host(k *Kustomization) string {
	if k.Parent == nil {
		return c.Name
	}
	return c.Target(k.Parent)
}

// Target names the cluster that a Kustomization applies to, whose controllers
// act on what it applies.
func (c *Cluster) Target(k *Kustomization) string {
	name := c.Host(k)
	if remote := RemoteOf(k.Object); remote != "" {
		name = strings.TrimPrefix(name+"/"+k.WithoutSecrets(c.remoteName(k, remote)), "/")
	}
	return name
}

// remoteName names a remote cluster by its kubeconfig: NAME, or NAME@NAMESPACE if the
// namespace is not that of the entry. So the name does not depend on other clusters.
func (c *Cluster) remoteName(k *Kustomization, remote string) string {
	namespace, entry := object.Namespace(k.Object), object.Namespace(c.Entries[0].Object)
	if namespace == entry || namespace == "" || entry == "" {
		return remote
	}
	return remote + "@" + variables.Unmark(namespace)
}

// RemoteOf returns the name of the Secret or ConfigMap in spec.kubeConfig; "" if it is not
// set, and NAME:KEY for a key other than the default ones, because one Secret may hold
// several kubeconfigs.
func RemoteOf(ks map[string]any) string {
	for _, ref := range []string{"secretRef", "configMapRef"} {
		name, ok := object.At(ks, "spec", "kubeConfig", ref, "name").(string)
		if !ok {
			continue
		}
		if key, ok := object.At(ks, "spec", "kubeConfig", ref, "key").(string); ok && key != "value" && key != "value.yaml" {
			name += ":" + key // those two are the defaults
		}
		return variables.Unmark(name)
	}
	return ""
}

// Inside returns the Kustomizations that lead to one within its target,
// innermost first: for a remote cluster, from the one that leads there.
func (k *Kustomization) Inside() []*Kustomization {
	chain := k.Chain()
	if i := slices.IndexFunc(chain, func(k *Kustomization) bool { return RemoteOf(k.Object) != "" }); i >= 0 {
		return chain[:i+1]
	}
	return chain
}
