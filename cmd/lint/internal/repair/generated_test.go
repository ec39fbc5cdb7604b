package repair

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// generatedTrees is how many trees are made up. A tree takes some tenths of a second.
const generatedTrees = 10

// timeouts are short and, more rarely, long against the default retry interval.
var timeouts = []string{"10m", "10m", "20m", "40m", "2h"}

// parts are what a release may say of failures: the first ones nothing, as most do.
var parts = []string{
	"", "", "", "", "", "", "", "  # nothing is set\n",
	"  install: {strategy: {name: RetryOnFailure}}\n  upgrade: {strategy: {name: RetryOnFailure}}\n",
	"  install:\n    strategy: {name: RemediateOnFailure}\n    remediation: {retries: 3}\n  upgrade:\n    strategy: {name: RemediateOnFailure}\n    remediation: {retries: 3} # enough\n",
	"  install:\n    remediation:\n      retries: 3\n",
	"  install:\n    disableWait: true\n    remediation: {retries: 3}\n  upgrade:\n    remediation: {retries: 3}\n",
	"  upgrade:\n    disableWait: true # why\n    remediation:\n      retries: 2\n      strategy: uninstall\n",
	"\n\n  upgrade:\n\n    remediation:\n        retries:   -1  # for ever\n\n\n",
	"  install:\n    createNamespace: true\n", "  upgrade:\n    cleanupOnFail: true\n",
	"  install: {remediation: {retries: 2}}\n  upgrade:\n    remediation:\n      retries: 50\n      remediateLastFailure: false\n",
	"  install:\n    strategy: {name: RetryOnFailure}\n    remediation:\n      retries: 3\n  upgrade: {strategy: {name: RetryOnFailure}}\n  rollback:\n    disableWait: true\n",
}

// patches are what a cluster may change of all releases.
var patches = []string{
	"", "", "", "", "",
	"spec: {upgrade: {remediation: {retries: 3}}}",
	"spec: {install: {remediation: {retries: 2}}, upgrade: {remediation: {retries: 2}}}",
	"spec: {install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RetryOnFailure}}}",
	"spec: {upgrade: {disableWait: true}}",
	"spec: {upgrade: {remediation: {retries: 0, remediateLastFailure: true}}}",
	"spec: {install: {strategy: {name: RetryOnFailure}}, upgrade: {strategy: {name: RemediateOnFailure}, remediation: {retries: 2}}}",
	"metadata: {name: any, annotations: {waive.flux-remedy.io/no-recovery: \"2099-01-01 known\", waive.flux-remedy.io/blind-wait: \"2099-01-01 watched\"}}",
}

func pick(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }

// generate writes a tree of a few clusters that take releases from a base, each through
// its overlay and its Kustomization.
func generate(t *testing.T, dir string, random *rand.Rand) {
	names := []string{"a", "b", "postgresql", "d", "e"}[:2+random.IntN(4)]
	for _, name := range names {
		put(t, dir, "base/"+name+".yaml", fmt.Sprintf("apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata:\n  name: %s\n  namespace: shop\nspec:\n"+
			"  interval: 1h\n  timeout: %s\n  chartRef: {kind: OCIRepository, name: %s}\n%s  values:\n    a: 1\n    # b: 2\n", name, pick(random, timeouts), name, pick(random, parts)))
	}
	put(t, dir, "base/kustomization.yaml", "resources: ["+strings.Join(names, ".yaml, ")+".yaml]\n")
	for _, cluster := range []string{"production", "staging", "development"}[:1+random.IntN(3)] {
		apps := "./base"
		if random.IntN(3) > 0 {
			apps = "./overlays/" + cluster
			put(t, dir, "overlays/"+cluster+"/kustomization.yaml", "resources: [../../base]\n"+patchesOf(pick(random, patches), ""))
		}
		put(t, dir, "clusters/"+cluster+"/apps.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux-system}\nspec:\n"+
			"  interval: 1h\n  prune: true\n  path: "+apps+"\n  sourceRef: {kind: GitRepository, name: flux-system}\n"+patchesOf(pick(random, patches), "  "))
		put(t, dir, "clusters/"+cluster+"/flux-system/gotk-sync.yaml", "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: flux-system, namespace: flux-system}\n"+
			"spec: {interval: 1h, prune: true, path: ./clusters/"+cluster+", sourceRef: {kind: GitRepository, name: flux-system}}\n")
	}
}

// patchesOf writes the field patches with one patch; nothing for an empty one.
func patchesOf(patch, indent string) string {
	if patch == "" {
		return ""
	}
	if !strings.HasPrefix(patch, "metadata") {
		patch = "metadata: {name: any}\n" + patch
	}
	text := "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n" + patch
	return indent + "patches:\n" + indent + "  - target: {kind: HelmRelease}\n" + indent + "    patch: |\n" +
		indent + "      " + strings.ReplaceAll(text, "\n", "\n"+indent+"      ") + "\n"
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, name, []byte(text))
}
