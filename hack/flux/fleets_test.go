//go:build flux

package flux

import "path"

// fleet is one cluster of an example tree, and what the tree does not say of how it is run.
type fleet struct {
	tree    string // below testdata
	cluster string // as flux-remedy names it
	// content is the folder of the tree that its source holds, and entry what is applied of it
	// first, both empty for the usual: all, and clusters/CLUSTER or CLUSTER.
	content, entry string
	// boot is a file whose objects bootstrap the cluster.
	boot string
	// name and spec are those of the first Kustomization where no file holds it.
	name string
	spec map[string]any
	// config is a configuration for flux-remedy.
	config string
	// sources are those that hold the content too, beside the first one's.
	sources []string
	// flags are those of kustomize-controller.
	flags string
	// spoke is the NAMESPACE/NAME of the secret with the kubeconfig of the cluster, which
	// another one applies.
	spoke string
	// absent are releases that other controllers than Flux's make, which do not run here.
	absent []string
	// either are releases that two Kustomizations apply, each undoing the other.
	either []string
	// why says of Kustomizations why it is right that they fail and nothing says so, or
	// the other way round.
	why map[string]string
}

const (
	lenient  = "--feature-gates=StrictPostBuildSubstitutions=false"
	stub     = "its Deployments are cut short to what flux-remedy reads"
	manifest = "Flux's own manifests are known, and not served here"
	// heldBack is a tree of Kustomizations that fail for what the tree cannot say.
	heldBack = "../hack/flux/testdata/held-back"
)

// versioned are the trees that say of themselves which Flux applies them.
var versioned = []string{"fleet/controllers", "fleet/strict-gate", "fleet/undefined-variable", "fleet/layout"}

// special are the clusters that need more than their name.
var special = []fleet{
	{tree: heldBack, cluster: "prod", why: map[string]string{
		"flux-system/sealed":    "whether a secret can be decrypted is known to the cluster alone",
		"flux-system/late":      "it waits for one of which that is not known",
		"flux-system/elsewhere": "its source may be made by something else than the tree, and is taken to be the tree",
	}},
	{tree: "fleet/applied-twice", cluster: "prod", either: []string{"apps/other"}},
	{tree: "fleet/artifacts", cluster: "production", entry: "clusters/production"},
	{tree: "fleet/artifacts", cluster: "staging", entry: "clusters/staging"},
	{tree: "fleet/controllers", cluster: "child", why: map[string]string{"flux-system/flux": stub}},
	{tree: "fleet/controllers", cluster: "decoys", why: map[string]string{"flux-system/flux-system": stub}},
	{tree: "fleet/controllers", cluster: "labelled", why: map[string]string{"flux-system/flux-system": stub}},
	{tree: "fleet/controllers", cluster: "mirror", why: map[string]string{"flux-system/flux-system": stub}},
	{tree: "fleet/controllers", cluster: "proxy", why: map[string]string{"flux-system/flux-system": stub}},
	{tree: "fleet/controllers", cluster: "several", why: map[string]string{"flux-system/flux-system": stub}},
	{tree: "fleet/controllers", cluster: "published-git", why: map[string]string{"flux-system/flux": manifest}},
	{tree: "fleet/controllers", cluster: "published-range", why: map[string]string{"flux-system/flux": manifest}},
	{tree: "fleet/controllers", cluster: "published-tag", why: map[string]string{"flux-system/flux": manifest}},
	{tree: "fleet/controllers", cluster: "published-wide", why: map[string]string{"flux-system/flux": manifest}},
	{tree: "fleet/cycle", cluster: "a", entry: "flux/a", why: map[string]string{"flux-system/b": "nothing in the tree begins the circle, and the test does"}},
	{tree: "fleet/gates", cluster: "entry", content: "home", entry: "entry"},
	{tree: "fleet/gates", cluster: "staging", entry: "clusters/staging/sync", name: "flux-system", spec: map[string]any{
		"postBuild": map[string]any{"substitute": map[string]any{"APPS": "apps", "ENVIRONMENT": "staging"}}, // by the FluxInstance
	}},
	{tree: "fleet/inner-entry", cluster: "cluster-0", boot: "kubernetes/cluster-0/flux/config/cluster.yaml"},
	{tree: "fleet/instance-values", cluster: "cluster-00", content: "kubernetes", entry: "clusters/cluster-00"},
	{tree: "fleet/hub-objects", cluster: "hub/asia", entry: "hub", spoke: "flux-system/asia", why: merge(other("eu", "us"), map[string]string{"flux-system/apps": unknown})},
	{tree: "fleet/hub-objects", cluster: "hub/eu", entry: "hub", spoke: "flux-system/eu", why: merge(other("asia", "us"), map[string]string{"flux-system/eu": stub})},
	{tree: "fleet/hub-objects", cluster: "hub/us", entry: "hub", spoke: "flux-system/us", why: merge(other("asia", "eu"), map[string]string{"flux-system/apps": unknown})},
	{tree: "fleet/layout", cluster: "prod", config: "spec: {controller: {version: 1.6.4}, tierMarkers: allow}"},
	{tree: "fleet/no-kustomization", cluster: "live", either: []string{"media/player"}},
	{tree: "fleet/outside-entry", cluster: "prod", absent: []string{"infra/dns"}, why: map[string]string{"flux-system/dns": "the artifact is made by source-watcher, which does not run here"}},
	{tree: "fleet/packed", cluster: "prod", content: "deploy"},
	{tree: "fleet/remote-base", cluster: "prod", why: map[string]string{"flux-system/operator": "its remote bases cannot be reached here, and are undetermined"}},
	{tree: "fleet/resourceset", cluster: "prod", absent: []string{"blue/shop-blue", "red/shop-red", "text/one", "text/two"}},
	{tree: "fleet/self-patch", cluster: "cluster", entry: "cluster", name: "root", spec: map[string]any{
		"postBuild": map[string]any{"substitute": map[string]any{"TIMEOUT": "12m"}}, // as it was bootstrapped, or it could not begin
	}},
	{tree: "fleet/self-path", cluster: "prod", name: "flux-system"},
	{tree: "fleet/self-path", cluster: "staging", name: "flux-system"},
	{tree: "fleet/spokes", cluster: "hub/production-kubeconfig@production", entry: "hub", spoke: "production/production-kubeconfig", why: map[string]string{"staging/apps": elsewhere}},
	{tree: "fleet/spokes", cluster: "hub/staging-kubeconfig@staging", entry: "hub", spoke: "staging/staging-kubeconfig", why: map[string]string{"production/apps": elsewhere}},
	{tree: "fleet/static-inputs", cluster: "prod", absent: []string{"apps/blue", "apps/inline", "apps/red"}},
	{tree: "fleet/strict-gate", cluster: "off", flags: lenient, why: map[string]string{"flux-system/apps": "its Service is cut short"}},
	{tree: "fleet/undefined-variable", cluster: "old", flags: lenient, why: map[string]string{
		"flux-system/apps": "a variable without a value is null there, which the API server refuses; the field is undetermined here",
	}},
	{tree: "fleet/unknown-variables", cluster: "prod", why: map[string]string{"flux-system/apps": unknown}},
	{tree: "fleet/unknown-keys", cluster: "prod", why: map[string]string{"flux-system/apps": unknown}},
}

const (
	elsewhere = "another cluster"
	unknown   = "its variables are not in the tree, and the fields are marked unknown"
)

func other(names ...string) map[string]string {
	out := map[string]string{}
	for _, name := range names {
		out[path.Join("flux-system", name)] = elsewhere
	}
	return out
}

func merge(a, b map[string]string) map[string]string {
	for key, value := range b {
		a[key] = value
	}
	return a
}
