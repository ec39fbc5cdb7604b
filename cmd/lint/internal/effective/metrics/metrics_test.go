package metrics

import (
	"slices"
	"testing"

	"github.com/flux-remedy/remedy/pkg/alert"
)

// TestAlerts: only an alert on the metrics of HelmReleases counts, and no text that names
// them.
func TestAlerts(t *testing.T) {
	rule := func(text string) string {
		return "kind: PrometheusRule\nspec: {groups: [{name: flux, rules: [" + text + "]}]}\n"
	}
	shop := alert.Subject{Kind: "HelmRelease", Namespace: "apps", Name: "shop"}
	for text, want := range map[string]bool{
		rule(`{alert: NotReady, expr: 'gotk_resource_info{ready="False"} == 1'}`):                                                                  true,
		rule(`{alert: NotReady, expr: 'gotk_resource_info{customresource_kind="HelmRelease", ready="False"} == 1'}`):                               true,
		rule(`{alert: NotReady, expr: 'gotk_resource_info{customresource_kind=~"Kustomization|HelmRelease"} == 1'}`):                               true,
		rule(`{alert: NotReady, expr: 'gotk_resource_info{customresource_kind="Kustomization", ready="False"} == 1'}`):                             false,
		rule(`{alert: NotReady, expr: 'gotk_reconcile_condition{kind!="HelmRelease"} == 1'}`):                                                      false,
		rule(`{alert: NotReady, expr: 'gotk_reconcile_condition{kind!~"Git.*"} == 1'}`):                                                            true,
		rule(`{record: x, expr: 'gotk_resource_info{ready="False"} == 1'}`):                                                                        false,
		rule(`{alert: Down, expr: 'up == 0'}`) + "# gotk_resource_info expr:\n":                                                                    false,
		rule(`{alert: Down, expr: "up == 0 # not gotk_resource_info"}`):                                                                            false,
		rule(`{alert: Down, expr: 'up{job="a#b"} == 0 or gotk_resource_info == 1'}`):                                                               true,
		rule(`{alert: Down, expr: up == 0, annotations: {description: "gotk_resource_info expr:"}}`):                                               false,
		"kind: Dashboard\npanels: [{targets: [{expr: gotk_resource_info}]}]\n":                                                                     false,
		"rules: [{uid: x, condition: C, data: [{refId: A, model: {expr: 'flux_resource_info{ready=\"False\"}'}}]}]\n":                              true,
		"kind: HelmRelease\nspec: {values: {additionalPrometheusRulesMap: {flux: {groups: [{rules: [{alert: A, expr: gotk_resource_info}]}]}}}}\n": true,
		"kind: ConfigMap\ndata:\n  rules.yaml: |\n    groups:\n    - rules:\n      - alert: A\n        expr: gotk_resource_info == 1\n":            true,
		"kind: ConfigMap\ndata:\n  rules.yaml: |\n    # alert: expr: gotk_resource_info\n    groups: []\n":                                         false,
		"{{ if .Values.x }}\nspec:\n  rules:\n  - alert: A\n    expr: |\n      gotk_resource_info == 1\n{{ end }}\n":                               true,
		"{{ if .Values.x }}\nspec:\n  rules:\n  - alert: A\n    # gotk_resource_info\n    expr: up == 0\n{{ end }}\n":                              false,
		"{{- /*\n  - alert: A\n    expr: gotk_resource_info == 1\n*/}}\nspec: {}\n":                                                                false,
		rule("{alert: NotReady, expr: 'gotk_resource_info{customresource_kind=`Kustomization`} == 1'}"):                                            false,
	} {
		r := ruleReader{metrics: alert.Metrics, recorded: alert.Recorded{}, in: Alert{File: "rules.yaml"}}
		r.file([]byte(text))
		got := slices.ContainsFunc(r.alerts, func(a Alert) bool { return a.template || r.recorded.Fires(a.expr, shop) == alert.Yes })
		if got != want {
			t.Errorf("%s\nalerts: %v, want %v", text, got, want)
		}
	}
}
