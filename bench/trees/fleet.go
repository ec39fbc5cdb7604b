package trees

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// The size of a fleet.
const (
	groups    = 20 // of applications, each a Kustomization of every cluster
	perGroup  = 5  // releases of two groups
	shared    = 8  // groups whose overlay is one for each environment, not each cluster
	perEvery  = 16 // clusters of which ten are production, four staging, two development
	inProduct = 10
	inStaging = 4
)

// Fleet returns clusters that apply 21 Kustomizations and 50 releases each, from bases
// by overlays and components, with patches of Flux and substitution.
func Fleet(seed uint64, clusters int) Tree {
	random := rand.New(rand.NewPCG(seed, uint64(clusters)))
	out := Tree{
		"components/limits/kustomization.yaml": component,
		"components/limits/timeout.yaml":       timeout,
	}
	for group := range groups {
		maps.Copy(out, base(random, group))
	}
	environments := map[string]bool{}
	for i := range clusters {
		if e := environmentOf(i); !environments[e] {
			environments[e] = true
			maps.Copy(out, environment(random, e))
		}
		maps.Copy(out, cluster(random, i))
	}
	return out
}

func groupName(group int) string { return fmt.Sprintf("group-%02d", group) }

// namesOf returns the releases of a group: two or three.
func namesOf(group int) []string {
	var out []string
	for i := range perGroup/2 + group%2 {
		out = append(out, fmt.Sprintf("%s-app-%d", groupName(group), i))
	}
	return out
}

// base returns the folder that all overlays of a group are made from.
func base(random *rand.Rand, group int) Tree {
	dir, out := "apps/"+groupName(group)+"/base/", Tree{}
	list := []string{"namespace.yaml", "settings.yaml"}
	out[dir+"namespace.yaml"] = fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata:\n  name: %s\n", groupName(group))
	out[dir+"settings.yaml"] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: %s\ndata:\n  domain: ${domain}\n", groupName(group))
	for _, name := range namesOf(group) {
		list = append(list, name+".yaml")
		out[dir+name+".yaml"] = release(random, name, groupName(group), remediation(random), 180) +
			"    host: " + name + ".${cluster}.${domain:=example.com}\n"
	}
	out[dir+"kustomization.yaml"] = kustomization("Kustomization", "v1beta1", list, "", "")
	return out
}

// overlay returns a folder of a group that patches its base.
func overlay(random *rand.Rand, group int, dir string) Tree {
	dir = "apps/" + groupName(group) + "/" + dir + "/"
	name := namesOf(group)[random.IntN(len(namesOf(group)))]
	return Tree{
		dir + "kustomization.yaml": kustomization("Kustomization", "v1beta1", []string{"../../base"},
			"components:\n  - ../../../../components/limits\n", "patches:\n  - path: patch.yaml\n"),
		dir + "patch.yaml": fmt.Sprintf("%smetadata:\n  name: %s\n  namespace: %s\nspec:\n  values:\n    replicas: %d\n",
			helmRelease, name, groupName(group), 1+random.IntN(5)),
	}
}

// environment returns the overlays that the clusters of an environment share.
func environment(random *rand.Rand, name string) Tree {
	out := Tree{}
	for group := range shared {
		maps.Copy(out, overlay(random, group, "environments/"+name))
	}
	return out
}

// cluster returns the Kustomizations of a cluster, and the overlays that only it has.
func cluster(random *rand.Rand, i int) Tree {
	environment := environmentOf(i)
	name := fmt.Sprintf("%s-%02d", environment, i)
	dir := "clusters/" + name + "/"
	out := Tree{dir + "flux-system/gotk-sync.yaml": strings.ReplaceAll(sync, "CLUSTER", name)}
	for group := range groups {
		path := "environments/" + environment
		if group >= shared {
			path = "clusters/" + name
			maps.Copy(out, overlay(random, group, path))
		}
		out[dir+groupName(group)+".yaml"] = strings.NewReplacer("GROUP", groupName(group), "PATH", path, "CLUSTER", name,
			"PATCH", centralPatch(group)).Replace(apply)
	}
	return out
}

func environmentOf(cluster int) string {
	switch n := cluster % perEvery; {
	case n < inProduct:
		return "production"
	case n < inProduct+inStaging:
		return "staging"
	}
	return "development"
}

// centralPatch returns the patch that clusters give to a group: to every second one.
func centralPatch(group int) string {
	if group%2 == 0 {
		return ""
	}
	indented := strings.ReplaceAll(strings.TrimSuffix(retry, "\n"), "\n", "\n        ")
	return "  patches:\n    - target:\n        kind: HelmRelease\n      patch: |\n        " +
		strings.ReplaceAll(strings.TrimSuffix(helmRelease, "\n"), "\n", "\n        ") +
		"\n        metadata:\n          name: any\n        spec:\n        " + indented + "\n"
}

func kustomization(kind, version string, resources []string, more ...string) string {
	text := "apiVersion: kustomize.config.k8s.io/" + version + "\nkind: " + kind + "\n"
	if len(resources) > 0 {
		text += "resources:\n  - " + strings.Join(slices.Clone(resources), "\n  - ") + "\n"
	}
	return text + strings.Join(more, "")
}

const helmRelease = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"

var component = kustomization("Component", "v1alpha1", nil, "patches:\n  - path: timeout.yaml\n    target:\n      kind: HelmRelease\n")

const timeout = helmRelease + "metadata:\n  name: any\nspec:\n  timeout: 15m\n  maxHistory: 5\n"

const sync = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 1m
  url: https://example.com/fleet
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: flux-system
  namespace: flux-system
spec:
  interval: 10m
  path: ./clusters/CLUSTER
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
`

const apply = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: GROUP
  namespace: flux-system
spec:
  interval: 1h
  path: ./apps/GROUP/PATH
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
PATCH  postBuild:
    substitute:
      cluster: CLUSTER
      domain: CLUSTER.example.com
`
