package policy

import (
	"maps"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The repair of a Flux Kustomization that could not be read charges nobody with what stood behind
// it. What can set a field of a release beside the repair does.
func TestStood(t *testing.T) {
	const (
		kustomization = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: NAME, namespace: flux-system}\n" +
			"spec:\n  path: ./NAME\n  sourceRef: {kind: GitRepository, name: flux-system}\n  postBuild: {substituteFrom: [{kind: ConfigMap, name: vars}]}\n"
		mistake  = "  wait: no: yes\n"
		patches  = "  patches: [{patch: x}]\n"
		shop     = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop}\nspec:\n  interval: 1h\n"
		vars     = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: vars}\ndata: {RETRIES: '0'}\n"
		listing  = "kind: Kustomization\nresources: [shop.yaml]\n"
		patching = listing + "patches: [{path: patch.yaml}]\n"
	)
	apps, other := strings.ReplaceAll(kustomization, "NAME", "apps"), strings.ReplaceAll(kustomization, "NAME", "other")
	type files = map[string]string
	for name, test := range map[string]struct {
		base, now files // beside the broken and the repaired one
		want      bool
	}{
		"nothing else":              {nil, nil, true},
		"files of no object":        {nil, files{".github/workflows/ci.yaml": "on: push\n"}, true},
		"another app":               {nil, files{"other.yaml": other, "other/a.yaml": strings.ReplaceAll(shop, "shop", "a")}, true},
		"a source is added":         {nil, files{"source.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: x}\n"}, true},
		"an object of no variables": {nil, files{"apps/other.yaml": strings.ReplaceAll(vars, "vars", "x")}, true},
		"the patches go":            {files{"apps.yaml": apps + mistake + patches}, nil, false},
		"too much cannot be read":   {files{"x.yaml": "a:\n" + strings.Repeat(mistake, mostMistakes+1)}, files{"x.yaml": "kind: Namespace\n"}, false},
		"another path":              {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./overlay") + mistake, "overlay/a.yaml": vars}, nil, false},
		"variables change":          {files{"vars.yaml": strings.ReplaceAll(vars, "'0'", "'3'")}, files{"vars.yaml": vars}, false},
		"variables are applied":     {files{"other/vars.yaml": vars}, files{"other.yaml": other, "other/vars.yaml": vars}, false},
		"a patch changes":           {files{"apps/kustomization.yaml": patching, "apps/patch.yaml": "a: b"}, files{"apps/kustomization.yaml": patching, "apps/patch.yaml": "a: c"}, false},
		"the parent changes":        {files{"root.yaml": strings.ReplaceAll(apps, "./apps", "./") + patches}, files{"root.yaml": strings.ReplaceAll(apps, "./apps", "./")}, false},
		"the release changes":       {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "2h")}, nil, false},
		"the release is repaired":   {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "1h: 2")}, nil, true},
		"so is what is found":       {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "1h: 2")}, files{"apps/shop.yaml": shop + "  install: {timeout: 1m}\n"}, false},
		"its old name is in a list": {files{"apps/shop.yaml": "kind: List\nitems:\n- " + strings.ReplaceAll(shop, "\n", "\n  ")}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			base := files{"apps.yaml": apps + mistake, "apps/shop.yaml": shop, "apps/kustomization.yaml": listing}
			now := files{"apps.yaml": apps, "apps/shop.yaml": shop, "apps/kustomization.yaml": listing}
			maps.Copy(base, test.base)
			maps.Copy(now, test.now)
			f := report.Finding{Rule: "r", Fix: &rules.Fix{Set: []rules.Edit{{Path: release.Path{"spec", "install", "timeout"}}}}}
			f.Release.Name, f.File = "shop", "apps/shop.yaml"
			if got := Stood(input(base), input(now))(f); got != test.want {
				t.Errorf("stood: %v, want %v", got, test.want)
			}
		})
	}
}

func input(texts map[string]string) []effective.Input {
	all := map[string]*tree.File{}
	for name, text := range texts {
		all[name] = tree.Bytes(name, []byte(text)).File(name)
	}
	return []effective.Input{{Files: tree.Of(all)}}
}
