package release

import (
	"cmp"
	"fmt"
	"strings"
)

// TierKey is the annotation or label that sets the tier of a release, or of all
// releases in a namespace.
const TierKey = "flux-remedy.io/tier"

// Evidence is what is known of a release that can decide its tier. A fact that
// is not known, or not to be believed, stays empty.
type Evidence struct {
	// Object is the HelmRelease.
	Object map[string]any
	// Namespace is the Namespace object that the release is in.
	Namespace map[string]any
	// Configured is the tier that the configuration sets for the release.
	Configured Tier
	// Variables are those of postBuild, from all Kustomizations that lead to
	// the release.
	Variables map[string]string
	// Cluster is the cluster that the release runs on. A remote cluster has no
	// folder of its own.
	Cluster Cluster
	// Folders lead to the release, outermost first.
	Folders []string
	// Hub is the cluster whose Flux applies the release to Cluster; empty
	// unless Cluster is remote. The name of Cluster begins with that of Hub.
	Hub Cluster
	// Default is the tier if no other fact decides; empty means [Production].
	Default Tier
}

// Cluster is what is known of a cluster.
type Cluster struct {
	Name string
	// Folder is where the tree holds what the cluster applies first.
	Folder string
}

// TierOf returns the tier of a release and the fact that decided, in words.
// What is written on the object or its namespace comes first, then the
// configuration, then the nearest name that contains an environment.
func TierOf(e Evidence) (tier Tier, from string) {
	if tier, from := marked(e.Object, "on the release"); from != "" {
		return tier, from
	}
	if tier, from := marked(e.Namespace, "on its namespace"); from != "" {
		return tier, from
	}
	if e.Configured != "" {
		return e.Configured, "configuration"
	}
	if tier, from := e.named(); from != "" {
		return tier, from
	}
	return cmp.Or(e.Default, Production), "default"
}

// named returns the tier of the first name that contains an environment.
func (e Evidence) named() (tier Tier, from string) {
	for _, name := range tierVars {
		if tier, ok := tierOfWords(e.Variables[name]); ok {
			return tier, fmt.Sprintf("variable %s=%s", name, e.Variables[name])
		}
	}
	if tier, ok := tierOfPath(e.Cluster.Folder); ok {
		return tier, "cluster folder " + e.Cluster.Folder
	}
	if tier, ok := tierOfWords(strings.TrimPrefix(e.Cluster.Name, e.Hub.Name)); ok {
		return tier, "cluster name " + e.Cluster.Name
	}
	for _, dir := range e.Folders {
		if tier, ok := tierOfPath(dir); ok {
			return tier, "folder " + dir
		}
	}
	namespace := metadata(e.Object, "namespace")
	if tier, ok := tierOfWords(namespace); ok {
		return tier, "namespace " + namespace
	}
	if tier, ok := tierOfPath(e.Hub.Folder); ok {
		return tier, "cluster folder of the hub " + e.Hub.Folder
	}
	return "", ""
}

// marked reads the tier from an object's annotation, then from its label. A
// value that names no tier means the strictest one.
func marked(object map[string]any, where string) (tier Tier, from string) {
	meta, _ := object["metadata"].(map[string]any)
	for _, kind := range []string{"annotation", "label"} {
		marks, _ := meta[kind+"s"].(map[string]any)
		value, ok := marks[TierKey].(string)
		if !ok {
			continue
		}
		from := fmt.Sprintf("%s %s %s", kind, TierKey, where)
		if tier, ok := tierOfWords(value); ok {
			return tier, from
		}
		return Production, fmt.Sprintf("%s, whose %q names no tier: taken for the strictest", from, value)
	}
	return "", ""
}
