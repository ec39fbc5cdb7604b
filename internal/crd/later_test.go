package crd

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/semver"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
)

func TestLater(t *testing.T) {
	const kustomization, git = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nspec: ", "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nspec: "
	for _, c := range []struct{ object, flux, want string }{
		{kustomization + "{deletionPolicy: Delete}", "2.4", "the field spec.deletionPolicy"},
		{kustomization + "{deletionPolicy: Delete}", "2.5", ""},
		{kustomization + "{deletionPolicy: WaitForTermination}", "2.5", "the value WaitForTermination of spec.deletionPolicy"},
		{kustomization + "{deletionPolicy: WaitForTermination}", "2.6", ""},
		{kustomization + "{dependsOn: [{name: a}, {name: b, readyExpr: 'true'}]}", "2.6", "the field spec.dependsOn.*.readyExpr"},
		{kustomization + "{dependsOn: [{name: a}]}", "2.0", ""},
		{kustomization + "{kubeConfig: {configMapRef: {name: a}}}", "2.6", "the field spec.kubeConfig.configMapRef"},
		{kustomization + "{ignore: null}", "2.6", ""},
		{kustomization + "{ignore: [a]}", "2.10", ""},
		{git + "{provider: aws}", "2.8", "the value aws of spec.provider"},
		{git + "{provider: aws}", "2.3", "the field spec.provider"},
		{git + "{provider: generic}", "2.4", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository", "2.5", "the apiVersion source.toolkit.fluxcd.io/v1"},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository", "2.6", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: Bucket", "2.3", "the apiVersion source.toolkit.fluxcd.io/v1"},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: Bucket", "2.4", ""},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository", "2.2", "the apiVersion source.toolkit.fluxcd.io/v1"},
		{"apiVersion: source.toolkit.fluxcd.io/v1\nkind: HelmRepository", "2.10", ""},
		{kustomization + "{}", "0.41", "the apiVersion kustomize.toolkit.fluxcd.io/v1"},
		{"apiVersion: kustomize.toolkit.fluxcd.io/v1beta2\nkind: Kustomization", "0.41", ""},
		{"apiVersion: kustomize.toolkit.fluxcd.io/v1beta2\nkind: Kustomization", "2.7", ""},
		{"apiVersion: kustomize.toolkit.fluxcd.io/v1beta2\nkind: Kustomization", "2.8", "the apiVersion kustomize.toolkit.fluxcd.io/v1beta2"},
		{"apiVersion: source.toolkit.fluxcd.io/v1beta1\nkind: GitRepository", "2.10", "the apiVersion source.toolkit.fluxcd.io/v1beta1"},
		{"apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator", "2.6", "the apiVersion source.extensions.fluxcd.io/v1beta1"},
		{"apiVersion: notification.toolkit.fluxcd.io/v1\nkind: Alert", "2.9", "the apiVersion notification.toolkit.fluxcd.io/v1"},
		{"apiVersion: notification.toolkit.fluxcd.io/v1beta3\nkind: Provider\nspec: {type: zulip}", "2.6", "the value zulip of spec.type"},
		{"apiVersion: source.toolkit.fluxcd.io/v1beta2\nkind: OCIRepository\nspec: {proxySecretRef: {name: a}}", "2.3", "the field spec.proxySecretRef"},
		{"apiVersion: v1\nkind: ConfigMap\ndata: {ignore: a}", "2.0", ""},
	} {
		var obj map[string]any
		if err := yaml.Unmarshal([]byte(c.object), &obj); err != nil {
			t.Fatal(err)
		}
		if got := Lacks(c.flux, obj); got != c.want {
			t.Errorf("Flux %s: %s\nhas %q, want %q", c.flux, c.object, got, c.want)
		}
		if strings.HasPrefix(c.want, "the field") && !Varies(obj) {
			t.Errorf("%s\nis the same in each Flux", c.object)
		}
	}
}

// TestChanges holds the table to the newest definitions, which make generate takes from those of the newest Flux: what a
// version brought is there in the end, and what is there now was brought by a version that is no older than its apiVersion.
func TestChanges(t *testing.T) {
	if lines := strings.Split(strings.TrimSpace(sinceText), "\n")[1:]; !slices.IsSorted(lines) || len(slices.Compact(slices.Clone(lines))) != len(lines) {
		t.Error("the lines are not sorted, or one is there twice")
	}
	newest := release.Minors[len(release.Minors)-1].Flux
	for kind, all := range changes() {
		if kind == "#" {
			continue
		}
		schema, isKnown := known()[kind]
		if isRemoved := slices.ContainsFunc(all, func(c change) bool { return c.removed }); isRemoved == isKnown {
			t.Errorf("%s is removed: %v, and known: %v", kind, isRemoved, isKnown)
		}
		came := "2.0"
		for _, c := range all {
			if !regexp.MustCompile(`^2\.\d+$`).MatchString(c.since) || semver.Compare("v"+c.since, "v"+newest) > 0 {
				t.Errorf("%s %s: there is no Flux %s", kind, c.name, c.since)
			}
			if c.name == "" && !c.removed {
				came = c.since
			}
		}
		for _, c := range all {
			if semver.Compare("v"+c.since, "v"+came) < 0 {
				t.Errorf("%s came with %s, and %s with %s", kind, came, c.name, c.since)
			}
			if !isKnown || c.name == "" {
				continue
			}
			field, ok := schema().Fields()[c.name]
			if !ok || c.value != "" && !slices.Contains(field.Enum, c.value) {
				t.Errorf("%s has no %s %s", kind, c.name, c.value)
			}
		}
	}
	for kind := range known() {
		group, _, _ := strings.Cut(kind, "/")
		if strings.Contains(group, "flux") && group != "fluxcd.controlplane.io" && !slices.ContainsFunc(changes()[kind], func(c change) bool { return c.name == "" }) {
			t.Errorf("since when there is %s is not known: make flux-since", kind)
		}
	}
}
