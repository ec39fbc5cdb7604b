package standstill

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
)

// object returns an object in few words: its kind and name, what its spec has besides, who applies it, and its Ready
// condition. The names are in the namespace a.
func object(kind, name, spec, by, ready string) string {
	group := "kustomize.toolkit.fluxcd.io/v1"
	if kind == helmRelease {
		group = "helm.toolkit.fluxcd.io/v2"
	}
	labels := ""
	if by != "" {
		labels = fmt.Sprintf(", labels: {kustomize.toolkit.fluxcd.io/name: %s, kustomize.toolkit.fluxcd.io/namespace: a}", by)
	}
	return fmt.Sprintf(`{apiVersion: %s, kind: %s, metadata: {name: %s, namespace: a, generation: 1%s}, spec: {interval: 10m, retryInterval: 2m, sourceRef: {kind: GitRepository, name: s}%s}, status: {observedGeneration: 1, conditions: [%s]}}`,
		group, kind, name, labels, spec, ready)
}

const (
	well      = `{type: Ready, status: "True", reason: Done}`
	gaveUp    = `{type: Stalled, status: "True", reason: RetriesExceeded}, {type: Ready, status: "False", reason: UpgradeFailed}`
	retries   = `{type: Reconciling, status: "True", reason: ProgressingWithRetry}, {type: Ready, status: "False", reason: UpgradeFailed}`
	unbuilt   = `{type: Ready, status: "False", reason: BuildFailed, message: "no such file"}`
	isWaiting = `{type: Ready, status: Unknown, reason: Progressing}, {type: Healthy, status: Unknown, reason: Progressing}`
	building  = `{type: Ready, status: Unknown, reason: Progressing}`
)

func unhealthy(message string) string {
	return fmt.Sprintf(`{type: Ready, status: "False", reason: HealthCheckFailed, message: "%s"}`, message)
}

func blocked(message string) string {
	return fmt.Sprintf(`{type: Ready, status: "False", reason: DependencyNotReady, message: "%s"}`, message)
}

// TestUncommitted: the reason of the Kustomization that applies a release says whether commits reach that.
func TestUncommitted(t *testing.T) {
	for reason, want := range map[string]string{
		"HealthCheckFailed": "", "PruneFailed": "",
		"BuildFailed":  "up by Kustomization a/infra, not Ready (BuildFailed)",
		"AccessDenied": "up by Kustomization a/infra, not Ready (AccessDenied)",
		"MoonPhase":    "perhaps up by Kustomization a/infra, not Ready (MoonPhase): a reason unknown to this program, so whether it has applied the last commit is not known",
	} {
		c := clusterOf(t, []string{object(kustomization, "infra", "", "", `{type: Ready, status: "False", reason: `+reason+`, message: x}`), object(helmRelease, "db", "", "infra", well)})
		got, causes := "", len(c.Causes())
		for _, chain := range c.Above(release.Name{Namespace: "a", Name: "db"}) {
			got += chain.String()
			if chain.Unsure() {
				causes++
			}
		}
		if got != want || (want != "") != (causes == 1) {
			t.Errorf("%s: %q with %d causes, want %q", reason, got, causes, want)
		}
	}
}

// TestCauses: each cluster has the causes that are wanted, as "ROOT, STATE: WHAT IT HOLDS UP".
func TestCauses(t *testing.T) {
	k, r := kustomization, helmRelease
	timeout := "timeout waiting for: [HelmRelease/a/db status: 'InProgress']"
	for name, c := range map[string]struct{ objects, want []string }{
		"a release, what applies it and what depends on that": {
			[]string{
				object(k, "infra", ", wait: true", "", unhealthy(timeout)), object(r, "db", "", "infra", retries),
				object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' is not ready")), object(r, "shop", "", "apps", well),
			},
			[]string{"HelmRelease a/db, not Ready (UpgradeFailed): Kustomization a/apps, Kustomization a/infra, HelmRelease a/shop; then infra 2m0s"},
		},
		"a health check that runs, by healthChecks, and above it another one": {
			[]string{
				object(k, "infra", ", healthChecks: [{apiVersion: helm.toolkit.fluxcd.io/v2, kind: HelmRelease, name: db, namespace: a}]", "root", isWaiting),
				object(r, "db", "", "infra", gaveUp), object(r, "other", "", "infra", gaveUp),
				object(k, "root", ", wait: true", "", unhealthy("timeout waiting for: [Kustomization/a/infra status: 'InProgress']")),
			},
			[]string{"HelmRelease a/db, Stalled (RetriesExceeded): Kustomization a/infra, Kustomization a/root; then root 2m0s"},
		},
		"nobody waits": {
			[]string{object(k, "infra", "", "", well), object(r, "db", "", "infra", gaveUp), object(k, "building", ", wait: true", "", building), object(r, "y", "", "building", gaveUp)},
			nil,
		},
		"what cannot be built": {
			[]string{object(k, "infra", ", wait: true", "", unbuilt), object(r, "db", "", "infra", well), object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' is not ready"))},
			[]string{"Kustomization a/infra, not Ready (BuildFailed): Kustomization a/apps, HelmRelease a/db"},
		},
		"what is suspended, and not at the revision": {
			[]string{object(k, "infra", ", suspend: true", "", well), object(r, "db", "", "infra", well), object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' revision is not up to date"))},
			[]string{"Kustomization a/infra, suspended: Kustomization a/apps"},
		},
		"what is not there, and what was not read": {
			[]string{
				object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' not found: no")),
				object(r, "shop", ", dependsOn: [{name: db, namespace: b}]", "", blocked("dependency 'b/db' is not ready")),
				object(r, "cart", ", dependsOn: [{name: mq}]", "", blocked("unable to get 'a/mq' dependency: no")),
			},
			[]string{"HelmRelease a/mq, not there: HelmRelease a/cart", "HelmRelease b/db, not ready: HelmRelease a/shop", "Kustomization a/infra, not there: Kustomization a/apps"},
		},
		"a circle": {
			[]string{
				object(k, "root", ", wait: true", "", unhealthy("timeout waiting for: [Kustomization/a/apps status: 'InProgress']")),
				object(k, "apps", ", dependsOn: [{name: root}]", "root", blocked("dependency 'a/root' is not ready")), object(r, "shop", "", "apps", well),
			},
			[]string{"Kustomization a/apps, in a circle: Kustomization a/apps, Kustomization a/root hold each other up: Kustomization a/root, HelmRelease a/shop; then root 2m0s"},
		},
		"a Deployment, and a release of another namespace that was not read": {
			[]string{object(k, "apps", ", wait: true", "", unhealthy("timeout waiting for: [Deployment/a/web status: 'InProgress', HelmRelease/b/db status: 'Failed', ConfigMap/a/c status: 'Current']"))},
			[]string{"Deployment a/web, InProgress: Kustomization a/apps; then apps 2m0s", "HelmRelease b/db, Failed: Kustomization a/apps; then apps 2m0s"},
		},
		"what has recovered": {
			[]string{
				object(k, "infra", ", wait: true", "", unhealthy(timeout)), object(r, "db", "", "infra", well),
				object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' is not ready")),
			},
			[]string{"Kustomization a/infra, not Ready (HealthCheckFailed): what it waited for is healthy now, and it looks again within 2m: Kustomization a/apps"},
		},
		"a dependency that has become ready": {
			[]string{object(k, "infra", "", "", well), object(k, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' is not ready"))},
			nil,
		},
		"an expression, and what it may or may not wait for": {
			[]string{
				object(k, "infra", "", "", unbuilt), object(k, "base", "", "", unbuilt),
				object(k, "apps", ", dependsOn: [{name: infra, readyExpr: x}, {name: base, readyExpr: x}]", "", blocked("dependency 'a/infra' is not ready according to readyExpr eval")),
			},
			[]string{"Kustomization a/infra, not Ready (BuildFailed): Kustomization a/apps"},
		},
		"what is on another cluster": {
			[]string{object(k, "infra", ", wait: true, kubeConfig: {secretRef: {name: far}}", "", unhealthy("timeout waiting for: [HelmRelease/a/far status: 'Failed']")), object(r, "db", "", "infra", gaveUp)},
			[]string{"HelmRelease a/far, Failed: Kustomization a/infra; then infra 2m0s"},
		},
		"what cannot be read hides nothing": {
			[]string{`{apiVersion: kustomize.toolkit.fluxcd.io/v1, kind: Kustomization, metadata: [], spec: 3}`, object(k, "x", ", dependsOn: 3", "", unbuilt), object(r, "db", "", "x", well)},
			nil,
		},
	} {
		var got []string
		for _, cause := range clusterOf(t, c.objects).Causes() {
			line := fmt.Sprintf("%s, %s: %s", cause.Object, cause.State, strings.Join(cause.Names(), ", "))
			for _, late := range cause.After {
				line += fmt.Sprintf("; then %s %s", late.Kustomization.Name, late.Retry)
			}
			got = append(got, line)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s:\n%s\nwant:\n%s", name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestChains: a release knows what holds it up, and what comes first; one that fails for a reason of its own is no
// victim of those that it holds up.
func TestChains(t *testing.T) {
	c := clusterOf(t, []string{
		object(kustomization, "infra", ", wait: true", "", unhealthy("timeout waiting for: [HelmRelease/a/db status: 'Failed']")),
		object(helmRelease, "db", "", "infra", gaveUp),
		object(kustomization, "apps", ", dependsOn: [{name: infra}]", "", blocked("dependency 'a/infra' is not ready")),
		object(helmRelease, "shop", ", dependsOn: [{name: db}]", "apps", blocked("dependency 'a/db' is not ready")),
		object(helmRelease, "cart", ", dependsOn: [{name: shop}]", "apps", blocked("dependency 'a/shop' is not ready")),
	})
	for name, want := range map[string]string{
		"db":   "[] []",
		"shop": "[db] [depends on HelmRelease a/db]",
		"cart": "[shop] [depends on HelmRelease a/shop, which depends on HelmRelease a/db]",
	} {
		of := release.Name{Namespace: "a", Name: name}
		paths := []string{}
		for _, chain := range c.Above(of) {
			paths = append(paths, chain.Path)
		}
		first := []string{}
		for _, name := range c.First(of) {
			first = append(first, name.Name)
		}
		if got := fmt.Sprint(first, " ", paths); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if held := c.Below(release.Name{Namespace: "a", Name: "db"}); held.String() != "2 HelmReleases and 2 Kustomizations" {
		t.Error(held)
	}
}

func clusterOf(t *testing.T, texts []string) *Cluster {
	t.Helper()
	c := &Cluster{}
	for _, text := range texts {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		c.Add(object)
	}
	return c
}
