package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	kjson "sigs.k8s.io/json"
)

// Group is the API group of HelmRelease.
const Group = "helm.toolkit.fluxcd.io"

// Versions are the versions of HelmRelease that can be judged, newest first.
var Versions = []string{"v2", "v2beta2", "v2beta1"}

// Release is one HelmRelease in one tier.
type Release struct {
	Namespace, Name string
	Tier            Tier
	// Cluster names the cluster that would apply it; empty if unknown.
	Cluster string
	// Object is the HelmRelease as Flux will apply it, in the shape that
	// encoding/json gives.
	Object map[string]any
	// Old is the object that an update replaces; nil for a creation.
	Old map[string]any
	// Controller will act on it; its gates are those that its version has.
	Controller Controller
	// Settings are nil when the API server would refuse the object because a
	// value has a wrong type; a finding of the category api then says which.
	Settings *Settings
	// Overridden are the failure settings that the release's own document
	// writes in vain, because a patch replaces them.
	Overridden []Override
	// Unknown holds the failure settings that cannot be determined, by path,
	// with the reason. A release that has any is not judged.
	Unknown map[string]string

	// Flipped is Settings with the gate DefaultToRetryOnFailure turned.
	Flipped *Settings
}

// Override is a failure setting that a patch replaces by another value;
// Effective is nil if the patch takes it away.
type Override struct {
	Path               Path
	Written, Effective any
}

// ErrNotHelmRelease is wrapped by the error of [Decode] for other objects.
var ErrNotHelmRelease = errors.New("not a HelmRelease that can be judged")

// Decode makes a Release of a HelmRelease object, as Flux will apply it, in
// the shape that encoding/json gives (maps, slices, strings, bools, float64 or
// json.Number). Fields that the controller's API version does not have are
// not part of the settings: the API server drops them.
func Decode(object map[string]any, controller Controller) (*Release, error) {
	apiVersion, _ := object["apiVersion"].(string)
	if object["kind"] != "HelmRelease" || !knownVersion(apiVersion) {
		return nil, fmt.Errorf("%w: %v %v", ErrNotHelmRelease, object["apiVersion"], object["kind"])
	}
	meta, _ := object["metadata"].(map[string]any)
	release := &Release{Object: object, Controller: controller.effective()}
	release.Name, _ = meta["name"].(string)
	release.Namespace, _ = meta["namespace"].(string)
	hr, err := typed(object, release.Controller)
	if err != nil {
		return release, nil //nolint:nilerr // the category api reports it with the field's path
	}
	hr.Name, hr.Namespace = release.Name, release.Namespace
	settings := settingsOf(hr, release.Controller.Gates)
	Flipped := settingsOf(hr, release.Controller.Gates.flip("DefaultToRetryOnFailure"))
	release.Settings, release.Flipped = &settings, &Flipped
	return release, nil
}

func knownVersion(apiVersion string) bool {
	version, ok := strings.CutPrefix(apiVersion, Group+"/")
	return ok && slices.Contains(Versions, version)
}

// typed reads the object as the v2 type that the controller works on, without
// what the API server would drop before. Values are left out: no setting
// depends on them and they may be large.
func typed(object map[string]any, controller Controller) (*helmv2.HelmRelease, error) {
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return nil, errors.New("spec is no object")
	}
	spec = maps.Clone(spec)
	delete(spec, "values")
	for _, half := range []string{"install", "upgrade"} {
		if !hasStrategy(object, controller) {
			spec[half] = without(spec[half], "strategy")
		}
	}
	raw, err := json.Marshal(map[string]any{"spec": spec})
	if err != nil {
		return nil, err
	}
	hr := &helmv2.HelmRelease{}
	return hr, kjson.UnmarshalCaseSensitivePreserveInts(raw, hr) // as the API server reads: Timeout is not timeout
}

// hasStrategy tells whether spec.install.strategy reaches the controller:
// since 1.4.0, and only if written under v2.
func hasStrategy(object map[string]any, controller Controller) bool {
	return object["apiVersion"] == Group+"/v2" && controller.AtLeast("1.4.0")
}

// without gives a copy of the object v without the key; v itself if it is none.
func without(v any, key string) any {
	object, ok := v.(map[string]any)
	if !ok {
		return v
	}
	object = maps.Clone(object)
	delete(object, key)
	return object
}
