package controllers

import (
	"reflect"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

func deploymentOf(image string, args ...any) map[string]any {
	container := map[string]any{"name": "manager", "image": image, "args": args}
	return map[string]any{"spec": map[string]any{"template": map[string]any{"spec": map[string]any{
		"containers": []any{container},
	}}}}
}

func TestControllerOf(t *testing.T) {
	for name, c := range map[string]struct {
		deployment map[string]any
		want       release.Controller
		official   bool
	}{
		"nothing":      {map[string]any{}, release.Controller{}, false},
		"version":      {deploymentOf("ghcr.io/fluxcd/helm-controller:v1.4.2@sha256:0f"), release.Controller{Version: "1.4.2"}, true},
		"mirror":       {deploymentOf("localhost:5000/proxy/fluxcd/helm-controller:v1.5.0"), release.Controller{Version: "1.5.0"}, true},
		"no registry":  {deploymentOf("fluxcd/helm-controller:v1.5.0"), release.Controller{Version: "1.5.0"}, true},
		"enterprise":   {deploymentOf("ghcr.io/controlplaneio-fluxcd/distroless/helm-controller:v1.5.3"), release.Controller{Version: "1.5.3"}, true},
		"no version":   {deploymentOf("localhost:5000/fluxcd/helm-controller"), release.Controller{}, true},
		"other path":   {deploymentOf("localhost:5000/helm-controller:v1.5.0", "--feature-gates=DefaultToRetryOnFailure=true"), release.Controller{}, false},
		"other owner":  {deploymentOf("ghcr.io/evilfluxcd/helm-controller:v1.5.0"), release.Controller{}, false},
		"other image":  {deploymentOf("ghcr.io/fluxcd/helm-controller-x:v1.5.0"), release.Controller{}, false},
		"in the query": {deploymentOf("evil.example.com/x@fluxcd/helm-controller:v1.5.0"), release.Controller{}, false},
		"gates": {
			deploymentOf("ghcr.io/fluxcd/helm-controller:v1.6.0", "--log-level=info", "--feature-gates=UseHelm3Defaults=false,OOMWatch=true", "--feature-gates=DefaultToRetryOnFailure=true"),
			release.Controller{Version: "1.6.0", Gates: release.Gates{"UseHelm3Defaults": false, "DefaultToRetryOnFailure": true}},
			true,
		},
	} {
		if got, official := ControllerOf(c.deployment); !reflect.DeepEqual(got, c.want) || official != c.official {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, official, c.want)
		}
	}
	const gate = "--feature-gates=DefaultToRetryOnFailure=true"
	for name, args := range map[string][]any{
		"after --": {"--", gate}, "before --": {gate, "--", "x"}, "by a variable": {gate, "--feature-gates=$(G)"}, "in a variable": {"--feature-gates=$(G),DefaultToRetryOnFailure=true", gate},
	} {
		if got, official := ControllerOf(deploymentOf("ghcr.io/fluxcd/helm-controller:v1.6.0", args...)); !official || len(got.Gates) > 0 || got.Version != "1.6.0" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	commanded, stopped := deploymentOf("ghcr.io/fluxcd/helm-controller:v1.6.0", gate), deploymentOf("ghcr.io/fluxcd/helm-controller:v1.6.0", gate)
	ContainersOf(commanded)[0].(map[string]any)["command"] = []any{"/bin/sh"}
	stopped["spec"].(map[string]any)["replicas"] = float64(0)
	for name, deployment := range map[string]map[string]any{"command": commanded, "no replica": stopped} {
		if got, _ := ControllerOf(deployment); len(got.Gates) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	labelled := deploymentOf("ghcr.io/fluxcd/helm-controller@sha256:0f")
	labelled["metadata"] = map[string]any{"labels": map[string]any{versionLabel: "v2.7.3"}}
	if got, _ := ControllerOf(labelled); got.Version != "1.4.3" {
		t.Errorf("by its label: %+v", got)
	}
}
