package alert_test

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/alert"
)

// TestFires: an expression tells of a release that has failed, never, or nobody knows.
func TestFires(t *testing.T) {
	shop := alert.Subject{Kind: "HelmRelease", Namespace: "apps", Name: "shop"}
	recorded := alert.Recorded{
		"flux:failed": {`sum by (name) (gotk_resource_info{ready="False"})`}, "flux:again": {"flux:failed", "flux:again"},
		"flux:sources": {`gotk_resource_info{kind="GitRepository"}`},
	}
	for expr, want := range map[string]alert.Certainty{
		`gotk_resource_info`:                     alert.Yes,
		`gotk_resource_info{ready!="True"} == 1`: alert.Yes,
		`(gotk_resource_info{customresource_kind=~"Kustomization|HelmRelease", ready='False', suspended!="true"})`: alert.Yes,
		`max by (name, exported_namespace) (flux_resource_info{ready="False", exported_namespace="apps"}) > 0`:     alert.Yes,
		`flux_resource_info{namespace="flux-system", job="flux-operator"}`:                                         alert.Yes,
		`{__name__="gotk_resource_info", ready="False"}`:                                                           alert.Yes,
		`up == 0 or on() gotk_resource_info{exported_namespace=~"a.*"} == 1`:                                       alert.Yes,
		"gotk_resource_info{name=~`sh.*`} == 1 # or not":                                                           alert.Yes,

		`gotk_resource_info{customresource_kind="Kustomization"}`:     alert.No,
		`gotk_reconcile_condition{kind!="HelmRelease"} == 1`:          alert.No,
		`gotk_resource_info{exported_namespace="data"} == 1`:          alert.No,
		`gotk_resource_info{name!="shop"} == 1`:                       alert.No,
		`gotk_resource_info{ready="True"} == 1`:                       alert.No,
		`gotk_resource_info{suspended="true"} == 1`:                   alert.No,
		`gotk_resource_info{ready="False"} == 0`:                      alert.No,
		`(gotk_resource_info{ready="False"}) > 1`:                     alert.No,
		`absent(gotk_resource_info)`:                                  alert.No,
		`up == 0 unless on(name) (gotk_resource_info{ready="False"})`: alert.No,
		`up{description="gotk_resource_info{ready=False}"} == 0`:      alert.No,
		`label_replace(up, "a", "gotk_resource_info", "b", "c") == 0`: alert.No,
		`sum by (gotk_resource_info) (up) == 0`:                       alert.No,
		`up == 0 # gotk_resource_info`:                                alert.No,
		`gotk_resource_info{ready=~"("}`:                              alert.No,
		`gotk_resource_info{team="web"}`:                              alert.Maybe,
		`gotk_resource_info{exported_namespace="${NAMESPACE}"}`:       alert.Maybe,
		`flux:failed > 0`: alert.Yes, `flux:again > 0`: alert.Yes,
		`flux:failed{exported_namespace="data"} > 0`: alert.No, `flux:sources > 0`: alert.No,
		`other:failed > 0`: alert.No, ``: alert.No, `((({{{`: alert.No,
	} {
		if got := recorded.Fires(expr, shop); got != want {
			t.Errorf("%s: %v, want %v", expr, got, want)
		}
	}
}
