package fleet

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
	}{
		"nothing": {map[string]any{}, release.Controller{}},
		"version": {deploymentOf("ghcr.io/fluxcd/helm-controller:v1.4.2@sha256:0f"), release.Controller{Version: "1.4.2"}},
		"mirror":  {deploymentOf("localhost:5000/helm-controller:v1.5.0"), release.Controller{Version: "1.5.0"}},
		"latest":  {deploymentOf("localhost:5000/helm-controller"), release.Controller{}},
		"gates": {
			deploymentOf("x:v1.6.0", "--log-level=info", "--feature-gates=UseHelm3Defaults=false,OOMWatch=true", "--feature-gates=DefaultToRetryOnFailure=true"),
			release.Controller{Version: "1.6.0", Gates: release.Gates{"UseHelm3Defaults": false, "DefaultToRetryOnFailure": true}},
		},
	} {
		if got := controllerOf(c.deployment); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}

func TestWithGates(t *testing.T) {
	for _, c := range []struct {
		version string
		gates   release.Gates
		want    string
	}{
		{"", release.Gates{"DefaultToRetryOnFailure": true}, ""},
		{"1.5.0", nil, "1.5.0"},
		{"1.5.0", release.Gates{"DefaultToRetryOnFailure": true}, "1.5.2"},
		{"1.6.1", release.Gates{"DefaultToRetryOnFailure": true}, "1.6.1"},
	} {
		if got := withGates(release.Controller{Version: c.version, Gates: c.gates}); got != c.want {
			t.Errorf("%s with %v: got %s, want %s", c.version, c.gates, got, c.want)
		}
	}
}

func TestSameRepository(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/example/fleet":             true,
		"https://github.com/Example/fleet.git":         true,
		"ssh://git@github.com/example/fleet":           true,
		"git@github.com:example/fleet.git":             true,
		"https://user:token@github.com/example/fleet/": true,
		"https://github.com/example/other":             false,
		"https://gitlab.com/example/fleet":             false,
	} {
		if got := sameRepository("https://github.com/example/fleet", url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
}
