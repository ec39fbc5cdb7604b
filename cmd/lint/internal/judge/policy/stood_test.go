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
		nowhere  = "kind: Kustomization\nresources: [nowhere.yaml, shop.yaml]\n"

		transformer = "apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: x}\npath: p.env\n"
		generator   = "configMapGenerator: [{name: x, files: [a=vars.env]}]\n"
		generate    = listing + "configMapGenerator: [{name: NAME, files: [FILE]}]\n"
		source      = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: KIND\nmetadata: {name: flux-system}\nspec: {url: URL}\n"
		chart       = "  chartRef: {kind: OCIRepository, name: flux-system}\n"
	)
	apps, other := strings.ReplaceAll(kustomization, "NAME", "apps"), strings.ReplaceAll(kustomization, "NAME", "other")
	type files = map[string]string
	of := func(text string, with ...string) string { return strings.NewReplacer(with...).Replace(text) }
	values, variables := of(generate, "NAME", "settings", "FILE", "values.yaml"), of(generate, "NAME", "vars", "FILE", "RETRIES=retries")
	gitOf := func(url string) files { return files{"source.yaml": of(source, "KIND", "GitRepository", "URL", url)} }
	chartsOf := func(kind, url string) files {
		return files{"source.yaml": of(source, "KIND", kind, "URL", url), "apps/shop.yaml": shop + chart}
	}
	for name, test := range map[string]struct {
		base, now files // beside the broken and the repaired one
		want      bool
	}{
		"nothing else":              {nil, nil, true},
		"files of no object":        {nil, files{".github/workflows/ci.yaml": "on: push\n"}, true},
		"another app":               {nil, files{"other.yaml": other, "other/a.yaml": strings.ReplaceAll(shop, "shop", "a")}, true},
		"a source is added":         {nil, files{"source.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: x}\n"}, true},
		"an object of no variables": {nil, files{"apps/other.yaml": strings.ReplaceAll(vars, "vars", "zz")}, true},
		"another Kustomization cannot be read": {
			files{"other.yaml": other + "  targetNamespace: *x\n", "other/a.yaml": strings.ReplaceAll(shop, "shop", "a")}, files{"other.yaml": other, "other/a.yaml": strings.ReplaceAll(shop, "shop", "a")}, true,
		},
		"its Kustomization cannot be read": {files{"apps.yaml": apps + "  targetNamespace: *x\n"}, nil, false},
		"something else cannot be read":    {files{"x.yaml": vars + "x: *x\n"}, files{"x.yaml": vars}, false},
		"names beside those of variables": {
			files{"other.yaml": strings.ReplaceAll(other, "name: other", "name: &other other")}, files{"other.yaml": strings.ReplaceAll(other, "name: other", "name: &other other"), "apps/z.yaml": strings.ReplaceAll(vars, "vars", "zz")}, true,
		},
		"the patches go":                    {files{"apps.yaml": apps + mistake + patches}, nil, false},
		"too much cannot be read":           {files{"x.yaml": "a:\n" + strings.Repeat(mistake, mostMistakes+1)}, files{"x.yaml": "kind: Namespace\n"}, false},
		"a misspelt path":                   {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./aps")}, files{"apps.yaml": apps}, true},
		"a path in other letters":           {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./Apps")}, files{"apps.yaml": apps}, true},
		"a dangling path to another folder": {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./production")}, files{"apps.yaml": apps}, false},
		"a dangling path to one of two":     {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./app"), "appa/a.yaml": vars}, files{"apps.yaml": apps}, false},
		"a short path":                      {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./ap")}, files{"apps.yaml": apps}, false},
		"another path":                      {files{"apps.yaml": strings.ReplaceAll(apps, "./apps", "./overlay") + mistake, "overlay/a.yaml": vars}, nil, false},
		"variables change":                  {files{"vars.yaml": strings.ReplaceAll(vars, "'0'", "'3'")}, files{"vars.yaml": vars}, false},
		"variables are applied":             {files{"other/vars.yaml": vars}, files{"other.yaml": other, "other/vars.yaml": vars}, false},
		"a patch changes":                   {files{"apps/kustomization.yaml": patching, "apps/patch.yaml": "a: b"}, files{"apps/kustomization.yaml": patching, "apps/patch.yaml": "a: c"}, false},
		"the parent changes":                {files{"root.yaml": strings.ReplaceAll(apps, "./apps", "./") + patches}, files{"root.yaml": strings.ReplaceAll(apps, "./apps", "./")}, false},
		"the release changes":               {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "2h")}, nil, false},
		"the release is repaired":           {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "1h: 2")}, nil, true},
		"so is what is found":               {files{"apps/shop.yaml": strings.ReplaceAll(shop, "1h", "1h: 2")}, files{"apps/shop.yaml": shop + "  install: {timeout: 1m}\n"}, false},
		"a patch of another kind of file changes": {
			files{"apps/kustomization.yaml": strings.ReplaceAll(patching, ".yaml}", ".txt}"), "apps/patch.txt": "a: b"},
			files{"apps/kustomization.yaml": strings.ReplaceAll(patching, ".yaml}", ".txt}"), "apps/patch.txt": "a: c"},
			false,
		},
		"a list of changes does":          {files{"t/p.yaml": "[{op: remove, path: /spec/a}]"}, files{"t/p.yaml": "[{op: remove, path: /spec/b}]"}, false},
		"a patch, beside a list":          {files{"apps/kustomization.yaml": nowhere + "patches: [{path: patch.yaml}]\n", "apps/a/patch.yaml": "a: b"}, files{"apps/kustomization.yaml": patching, "apps/a/patch.yaml": "a: c"}, false},
		"what a transformer reads":        {files{"t/x.yaml": transformer, "t/p.env": "A=1"}, files{"t/x.yaml": transformer, "t/p.env": "A=2"}, false},
		"variables of a generator":        {files{"g/kustomization.yaml": generator, "g/vars.env": "A=1"}, files{"g/kustomization.yaml": generator, "g/vars.env": "A=2"}, false},
		"an entry that is not there goes": {files{"apps/kustomization.yaml": nowhere}, nil, true},
		"it lists itself":                 {files{"x/kustomization.yaml": nowhere}, files{"x/kustomization.yaml": "resources: [kustomization.yaml]\n"}, false},
		"all goes that could not be read": {files{"apps/kustomization.yaml": "namespace: a: b\n" + patching}, files{"apps/kustomization.yaml": ""}, false},
		"the file is listed now":          {files{"apps/kustomization.yaml": "resources: [nowhere.yaml]\n"}, nil, false},
		"another file was listed":         {files{"apps/kustomization.yaml": "resources: [shop.yaml, old.yaml]\n", "apps/old.yaml": shop}, files{"apps/old.yaml": shop}, false},
		"variables were listed":           {files{"x/kustomization.yaml": "resources: [vars.yaml]\n", "x/vars.yaml": vars}, files{"x/kustomization.yaml": "resources: []\n", "x/vars.yaml": vars}, false},
		"another app is listed":           {files{"x/kustomization.yaml": "resources: []\n", "x/other.yaml": other, "other/a.yaml": shop}, files{"x/kustomization.yaml": "resources: [other.yaml]\n", "x/other.yaml": other, "other/a.yaml": shop}, true},
		"the same app with patches was":   {files{"x/kustomization.yaml": "resources: [a.yaml]\n", "x/a.yaml": apps + patches}, files{"x/kustomization.yaml": "resources: []\n", "x/a.yaml": apps + patches}, false},
		"variables with a prefix":         {files{"vars.yaml": strings.ReplaceAll(vars, "name: vars", "name: ars")}, files{"vars.yaml": strings.ReplaceAll(vars, "name: vars", "name: ars") + "  B: ''\n"}, false},
		"variables of a name by variable": {files{"o.yaml": strings.ReplaceAll(other, "name: vars", "name: ${E}-x"), "x.yaml": strings.ReplaceAll(vars, "vars", "x")}, files{"o.yaml": strings.ReplaceAll(other, "name: vars", "name: ${E}-x"), "x.yaml": strings.ReplaceAll(vars, "vars", "p-x")}, false},
		"an app with a path by variable":  {files{"o.yaml": strings.ReplaceAll(other, "./other", "./${E}") + patches}, files{"o.yaml": strings.ReplaceAll(other, "./other", "./${E}")}, false},
		"an app with a patched path":      {files{"o.yaml": strings.ReplaceAll(other, "./other", "./placeholder") + patches}, files{"o.yaml": strings.ReplaceAll(other, "./other", "./placeholder")}, false},
		"an app with a component":         {files{"o.yaml": other + "  components: [../apps]\n" + patches, "other/x.yaml": vars}, files{"o.yaml": other + "  components: [../apps]\n", "other/x.yaml": vars}, false},
		"an app with bases":               {files{"o.yaml": other + patches, "other/kustomization.yaml": "bases: [../apps]\n"}, files{"o.yaml": other, "other/kustomization.yaml": "bases: [../apps]\n"}, false},
		"an app that nothing is in goes":  {files{"o.yaml": other + patches}, nil, true},
		"an app is switched on":           {files{"o.yaml": strings.ReplaceAll(apps, "namespace:", "labels: {a: b}, namespace:")}, files{"o.yaml": apps}, false},
		"another controller":              {files{"c.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: helm-controller}\n"}, nil, false},
		"another program":                 {files{"c.yaml": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: shop}\n"}, nil, true},
		"a definition":                    {files{"c.yaml": "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"}, nil, false},
		"a chart that installs Flux":      {nil, files{"c.yaml": strings.ReplaceAll(shop, "shop", "f") + "  chart: {spec: {chart: flux-instance}}\n"}, false},
		"a namespace in another tier":     {nil, files{"n.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: apps, labels: {tier: production}}\n"}, false},
		"a namespace":                     {nil, files{"n.yaml": "apiVersion: v1\nkind: Namespace\nmetadata: {name: apps}\n"}, true},
		"a file is there for Flux":        {files{".sourceignore": "/apps/shop.yaml\n"}, nil, false},
		"its bytes are others":            {nil, files{"apps/.gitattributes": "*.yaml ident\n"}, false},
		"the mistake was a patch":         {files{"x/kustomization.yaml": listing + "patches: [{path: a}]: x\n"}, files{"x/kustomization.yaml": listing}, false},
		"a list in a map, and a patch":    {files{"x/kustomization.yaml": "patches: [{path: a}]\nresources: [\n- shop.yaml\n"}, files{"x/kustomization.yaml": listing}, false},
		"the mistake recovers":            {files{"apps/shop.yaml": shop + "  install: {timeout: 1m}: x\n"}, nil, false},
		"text that nothing reads":         {nil, files{"README.md": "# apps\n"}, true},
		"its old name is in a list":       {files{"apps/shop.yaml": "kind: List\nitems:\n- " + strings.ReplaceAll(shop, "\n", "\n  ")}, nil, false},
		"a source had no url":             {gitOf(""), gitOf("ssh://a"), true},
		"a source has another url":        {gitOf("ssh://b"), gitOf("ssh://a"), false},
		"another source of charts":        {chartsOf("HelmRepository", "https://b"), chartsOf("HelmRepository", "https://a"), true},
		"the source of its chart":         {chartsOf("OCIRepository", "oci://b"), chartsOf("OCIRepository", "oci://a"), false},
		"a missing file of values":        {files{"apps/kustomization.yaml": values}, files{"apps/kustomization.yaml": values, "apps/values.yaml": "a: b\n"}, true},
		"it is a patch, too":              {files{"apps/kustomization.yaml": values + "patches: [{path: values.yaml}]\n"}, files{"apps/kustomization.yaml": values + "patches: [{path: values.yaml}]\n", "apps/values.yaml": "a: b\n"}, false},
		"a file of variables":             {files{"apps/kustomization.yaml": variables, "apps/retries": "3"}, files{"apps/kustomization.yaml": variables, "apps/retries": "0"}, false},
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
