package policy

import (
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// What is mended in the templates of a ResourceSet, or in its inputs, charges nobody with what stands beside it. All that
// may set anything else does.
func TestStoodBehindTemplates(t *testing.T) {
	const (
		set = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: apps}
spec:
  inputs:
  - name: shop
    version: 1.x
    retries: 3
  resourcesTemplate: |
    apiVersion: source.toolkit.fluxcd.io/v1
    kind: OCIRepository
    metadata: {name: << inputs.name >>}
    spec:
      interval: 1h
      url: oci://example.com/shop
      ref:
        semver: << inputs.version >>
    ---
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    metadata: {name: << inputs.name >>}
    spec:
      interval: 1h
      <<- if inputs.retries >>
      install:
        remediation: {retries: << inputs.retries >>}
      <<- end >>
      chartRef: {kind: OCIRepository, name: << inputs.name >>}
      values:
        image: << inputs.version | quote >>
`
		image   = "image: << inputs.version | quote >>"
		semver  = "semver: << inputs.version >>"
		version = "    version: 1.x\n"
		plain   = `apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps}
spec:
  resourcesTemplate: |
    apiVersion: helm.toolkit.fluxcd.io/v2
    kind: HelmRelease
    spec:
      interval: 1h
`
	)
	install := []rules.Edit{{Path: release.Path{"spec", "install", "timeout"}}}
	type edits []string // what is written in the base, and then, in place of what stands there
	for name, test := range map[string]struct {
		base, now edits
		want      bool // of a finding of recovery
	}{
		"an input is misspelt":            {edits{image, "image: << inputs.verison | quote >>"}, nil, true},
		"a function is":                   {edits{image, "image: << inputs.version | quot >>"}, nil, true},
		"an action is not closed":         {edits{image, "image: << inputs.version"}, nil, true},
		"an input is missing":             {edits{version, ""}, nil, true},
		"the version of a chart":          {edits{semver, "semver: << inputs.verison >>"}, nil, true},
		"an interval":                     {edits{"      interval: 1h\n      <<-", "      interval: 1h: 2\n      <<-"}, nil, true},
		"values were missing, too":        {edits{"        " + image, "        a: << inputs.a >>"}, nil, true},
		"nothing is mended, a comment is": {nil, edits{"      values:\n", "      # of the chart\n      values:\n"}, true},

		"the inputs come from elsewhere":         {edits{image, "image: << inputs.b >>", "  resourcesT", "  inputsFrom: [{name: x}]\n  resourcesT"}, edits{"  resourcesT", "  inputsFrom: [{name: x}]\n  resourcesT"}, false},
		"a recovery is dropped beside it":        {edits{version, ""}, edits{"remediation: {retries: << inputs.retries >>}", "timeout: 5m"}, false},
		"its block goes":                         {edits{version, ""}, edits{"      <<- if inputs.retries >>\n      install:\n        remediation: {retries: << inputs.retries >>}\n      <<- end >>\n", ""}, false},
		"its condition is false":                 {edits{version, ""}, edits{"retries: 3\n", "retries: 0\n"}, false},
		"its condition is another":               {edits{version, ""}, edits{"<<- if inputs.retries", "<<- if inputs.none"}, false},
		"the line mended was the recovery":       {edits{"retries: << inputs.retries >>", "retries: << inputs.retires >>"}, nil, false},
		"it moves into the values":               {edits{version, ""}, edits{"      install:\n", "      install:\n      values:\n", "      values:\n        image", "      x:\n        image"}, false},
		"its key is misspelt":                    {edits{version, ""}, edits{"      install:\n", "      instal:\n"}, false},
		"another chart":                          {edits{version, ""}, edits{"oci://example.com/shop", "oci://example.com/cart"}, false},
		"another release":                        {edits{version, ""}, edits{"name: shop", "name: cart"}, false},
		"one more release":                       {edits{version, ""}, edits{"  inputs:\n", "  inputs:\n  - {name: cart, version: 1.x, retries: 0}\n"}, false},
		"one more template":                      {edits{version, ""}, edits{"  resourcesT", "  resources: [{kind: HelmRelease}]\n  resourcesT"}, false},
		"one more document":                      {edits{version, ""}, edits{"    ---\n", "    ---\n    kind: Namespace\n    ---\n"}, false},
		"it is switched on":                      {edits{version, "", "namespace: apps}", "namespace: apps, annotations: {fluxcd.controlplane.io/reconcile: disabled}}"}, nil, false},
		"labels of all":                          {edits{version, ""}, edits{"  resourcesT", "  commonMetadata: {labels: {a: b}}\n  resourcesT"}, false},
		"the action was a condition":             {edits{image, "image: << if inputs.version >>a<< end >>"}, nil, false},
		"the action may have been anything":      {edits{"      interval: 1h\n      <<-", "      interval: << inputs.all | toYaml >>\n      <<-"}, nil, false},
		"the input has lines":                    {edits{version, ""}, edits{"version: 1.x", `version: "1.x\n  install: {}"`}, false},
		"the input ends a map":                   {edits{version, ""}, edits{"version: 1.x", `version: "1.x}, install: {"`}, false},
		"the input is a map":                     {edits{version, ""}, edits{"version: 1.x", "version: {a: b}"}, false},
		"the function makes lines":               {edits{image, "image: << inputs.verison >>"}, edits{image, `image: << printf "1\n      install: {}" >>`}, false},
		"blanks are taken away":                  {edits{image, "image: << inputs.verison >>", "<<- end >>", "<<- end ->>"}, edits{"<<- end >>", "<<- end ->>"}, false},
		"an action over lines":                   {edits{image, "image: << inputs.verison >>"}, edits{image, "image: << inputs.version\n          | quote >>"}, false},
		"a template in the template":             {edits{image, "image: << inputs.verison >>", "    ---\n", "    << define `x` >>a: b<< end >>\n    ---\n"}, edits{"    ---\n", "    << define `x` >>a: b<< end >>\n    ---\n"}, false},
		"an encoded Kustomization of the source": {edits{semver, "semver: << inputs.verison >>", "    ---\n", "    ---\n    kind: Kustomization\n    spec: {sourceRef: {kind: OCIRepository}}\n    ---\n"}, edits{"    ---\n", "    ---\n    kind: Kustomization\n    spec: {sourceRef: {kind: OCIRepository}}\n    ---\n"}, false},
		"long values end differently":            {edits{image, "image: " + strings.Repeat("x", 160) + "<< inputs.verison >>"}, edits{image, "image: " + strings.Repeat("x", 160) + `<< printf "\n    install: {}" >>`}, false},
		"a document cannot be decoded":           {edits{version, "", "kind: HelmRelease\n", "kind: HelmRelease\n    x: !!int a\n"}, edits{"kind: HelmRelease\n", "kind: HelmRelease\n    x: !!int a\n", "remediation: {retries: << inputs.retries >>}", "timeout: 5m"}, false},
		"without inputs it was not left out":     {edits{set, strings.Replace(plain, "1h", "1h: 2", 1)}, edits{set, strings.Replace(plain, "spec:", "spec:\n  inputs: [{a: b}]", 1)}, false},
		"another object of the file changes":     {edits{version, "", "apiVersion: fluxcd", "kind: FluxInstance\n---\napiVersion: fluxcd"}, edits{"apiVersion: fluxcd", "kind: FluxInstance\nspec: {}\n---\napiVersion: fluxcd"}, false},
		"the same set is there twice": {
			edits{version, "", "apiVersion: fluxcd", strings.Replace(set, version, "", 1) + "---\napiVersion: fluxcd"},
			edits{"apiVersion: fluxcd", strings.Replace(set, "retries: << inputs.retries >>", "retries: 0", 1) + "---\napiVersion: fluxcd"},
			false,
		},
		"the chart may install Flux":        {edits{version, "", "name: shop", "name: flux-instance"}, edits{"name: shop", "name: flux-instance"}, false},
		"the action was the end of another": {edits{image, "image: << end >>"}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			base, now := set, set
			for i := 0; i+1 < len(test.base); i += 2 {
				base = replaced(t, base, test.base[i], test.base[i+1])
			}
			for i := 0; i+1 < len(test.now); i += 2 {
				now = replaced(t, now, test.now[i], test.now[i+1])
			}
			stood := Stood(input(map[string]string{"apps.yaml": base}), input(map[string]string{"apps.yaml": now}))
			f := report.Finding{Rule: "r", Fix: &rules.Fix{Set: install}}
			f.Release.Name, f.File = "shop", "apps.yaml"
			if got := stood(f); got != test.want {
				t.Errorf("stood: %v, want %v", got, test.want)
			}
			for category, by := range map[string]string{"timing": "an interval", "data-safety": "the version of a chart"} {
				if f.Category = category; name == by && stood(f) {
					t.Errorf("a finding of %s stood, although the change sets what it is about", category)
				}
			}
		})
	}
}

func replaced(t *testing.T, text, old, by string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("nothing to replace: %s", old)
	}
	return strings.Replace(text, old, by, 1)
}
