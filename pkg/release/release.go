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

	"github.com/flux-remedy/remedy/pkg/loss"
)

// Release is one HelmRelease in one tier.
type Release struct {
	Namespace, Name string
	Tier            Tier
	// Cluster is the name of the cluster that it runs on; empty if unknown.
	Cluster string
	// Object is the HelmRelease as Flux will apply it, decoded as by
	// encoding/json.
	Object map[string]any
	// Old is the object that an update replaces; nil for a creation.
	Old map[string]any
	// Replaced is the release whose object is Old, where two trees are compared: if the update uninstalls it,
	// its Loss is what is lost. It is nil elsewhere, as at admission.
	Replaced *Release
	// Resembles reports whether only its settings tell that it takes the place of Replaced.
	Resembles bool
	// Pruning says what deletes it, where two trees are compared and another Kustomization applied it before; nil
	// elsewhere.
	Pruning *Pruning
	// Controller acts on the release. It lists only gates that its version has.
	Controller Controller
	// Settings are the effective failure settings. They are nil if a value has
	// a wrong type, or a strategy does not exist, so that the API server would reject the object.
	Settings *Settings
	// GateFlipped are the settings as they would be with the feature gate
	// DefaultToRetryOnFailure turned the other way. Nil if Settings are nil.
	GateFlipped *Settings
	// Overridden are the failure settings in the release's own document that
	// have no effect, because a patch replaces or removes them.
	Overridden []Override
	// Alerting says who learns of its failures; nil if that is not known.
	Alerting *Alerting
	// Above is what applies it, and what is around that; nil if that is not known, or if nothing of it matters.
	Above *Above
	// Needs are the dependencies that are never ready, as far as that is known.
	Needs []Need
	// Standstills are what commits to it stop at, as far as that is known.
	Standstills []Standstill
	// Loss is what an uninstall deletes and keeps; nil if the chart is not known.
	Loss *loss.Loss
	// LossUnknown says why Loss is not known, or not certain; empty if it is, or if nobody asks.
	LossUnknown string
	// Unknown are the fields whose value is not known, in order of their paths. What
	// reads one of them is not judged.
	Unknown []Unknown
	// Admitted reports whether an API server has admitted the object to its schema, which may
	// be newer than what is known here. [DecodeAdmitted] sets it.
	Admitted bool
	// Unfamiliar are the fields and values of the failure settings that are not known here and
	// yet in force, in order of their paths: those that an API server has admitted, or that the
	// definition of its cluster has. Where no definition says what the API server accepts, they
	// are the strategies alone: of all else rules say that it is misspelt or newer.
	Unfamiliar []Path
}

// Pruning is a Kustomization that deletes a release which another one applies now, or a namespace with the release in it.
type Pruning struct {
	// By is the one that deletes it, For the one that applies it, by namespace/name. For is empty if nothing in the tree does.
	By  string `json:"by"`
	For string `json:"for"`
	// Kustomization is the one, by namespace/name, that is deleted and applied anew, and with it all that it has applied;
	// empty if what it applies is deleted on its own.
	Kustomization string `json:"kustomization,omitempty"`
	// Namespace is the namespace that is deleted; empty if it is the HelmRelease alone.
	Namespace string `json:"namespace,omitempty"`
	// Certain: it does, as the other one waits for it or, if there is none, as the change hides nothing that the tree showed before.
	// Else another may have taken it over before.
	Certain bool `json:"certain"`
}

// Override is a failure setting that a patch replaces or removes.
type Override struct {
	Path      Path
	Written   any // in the release's own document
	Effective any // after the patch; nil if it removes the setting
}

// ErrNotHelmRelease is what [Decode] returns, wrapped, for any other object.
var ErrNotHelmRelease = errors.New("not a HelmRelease that can be judged")

// Decode returns the Release of a HelmRelease object as Flux will apply it,
// decoded as by encoding/json: maps, slices, strings, bools, float64 or
// json.Number. It leaves the object as it is. The settings ignore a strategy that
// the API server drops, because the object's version or the controller's does
// not have it. Tier, Cluster, Old, Overridden, Alerting and Unknown are for the
// caller to set.
func Decode(object map[string]any, controller Controller) (*Release, error) {
	return decode(object, controller, false)
}

// decode decodes an object with values that can all be read. admitted reports whether the API server has
// taken it, with what its own version of the API allows.
func decode(object map[string]any, controller Controller, admitted bool) (*Release, error) {
	if !judgeable(object) {
		return nil, fmt.Errorf("%w: %v %v", ErrNotHelmRelease, object["apiVersion"], object["kind"])
	}
	release := &Release{Object: object, Controller: controller.effective(), Admitted: admitted}
	release.Name, release.Namespace = metadata(object, "name"), metadata(object, "namespace")
	all := unfamiliar(object)
	release.Unfamiliar = release.inForce(all)
	hr, err := typed(object, admitted || hasStrategy(object, controller))
	if err != nil || slices.ContainsFunc(all, isStrategy) && release.KnownStrategies() && hasStrategy(object, release.Controller) {
		return release, nil // the rule invalid-value reports it with the field's path
	}
	hr.Name, hr.Namespace = release.Name, release.Namespace
	settings := settingsOf(hr, release.Controller.Gates)
	flipped := settingsOf(hr, release.Controller.Gates.flip("DefaultToRetryOnFailure"))
	release.Settings, release.GateFlipped = &settings, &settings
	if flipped != settings { // there are many releases
		release.GateFlipped = &flipped
	}
	return release, nil
}

// Deletes says what an uninstall deletes and keeps; "" if the chart is not asked for.
func (r *Release) Deletes() string { return loss.Say(r.Loss, r.LossUnknown) }

// Uninstalled returns what an uninstall of the release deletes of what it consists of, by its settings.
func (r *Release) Uninstalled(contents loss.Release) *loss.Loss {
	propagation, _ := Path{"spec", "uninstall", "deletionPropagation"}.In(r.Object).(string)
	contents.Orphan = propagation == "orphan"
	contents.NoHooks, _ = Path{"spec", "install", "disableHooks"}.In(r.Object).(bool)
	return loss.Of(contents)
}

// SettingsBefore returns the settings of the object that an update replaces; nil if there is
// no such object, or if they cannot be read.
func (r *Release) SettingsBefore() *Settings {
	if r.Old == nil || !judgeable(r.Old) {
		return nil
	}
	old := r.Old
	for _, u := range r.Unknown {
		if u.Before && !isStrategy(u.Path) {
			old, _ = removed(old, u.Path).(map[string]any)
		}
	}
	hr, err := typed(old, r.Admitted || hasStrategy(old, r.Controller))
	if err != nil {
		return nil
	}
	hr.Name, hr.Namespace = metadata(old, "name"), metadata(old, "namespace")
	settings := settingsOf(hr, r.Controller.Gates)
	return &settings
}

// judgeable reports whether an object is a HelmRelease of a known version.
func judgeable(object map[string]any) bool {
	apiVersion, _ := object["apiVersion"].(string)
	return object["kind"] == "HelmRelease" && knownVersion(apiVersion)
}

// metadata returns a text field of an object's metadata, empty if there is none.
func metadata(object map[string]any, field string) string {
	meta, _ := object["metadata"].(map[string]any)
	text, _ := meta[field].(string)
	return text
}

func knownVersion(apiVersion string) bool {
	version, ok := strings.CutPrefix(apiVersion, Group+"/")
	return ok && slices.Contains(Versions, version)
}

// typed returns the object as the v2 type that the controller works on, with or without its
// strategies. It leaves out spec.values, which can be large and which no setting depends on.
func typed(object map[string]any, strategies bool) (*helmv2.HelmRelease, error) {
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return nil, errors.New("spec is no object")
	}
	hr := &helmv2.HelmRelease{}
	if fillSpec(&hr.Spec, spec, strategies) {
		return hr, nil
	}
	return typedByText(spec, strategies)
}

// typedByText is typed by way of JSON, which says what is wrong.
func typedByText(spec map[string]any, strategies bool) (*helmv2.HelmRelease, error) {
	spec = maps.Clone(spec)
	delete(spec, "values")
	if !strategies {
		for _, half := range []string{"install", "upgrade"} {
			spec[half] = without(spec[half], "strategy")
		}
	}
	raw, err := json.Marshal(spec)
	if err != nil {
		return nil, err
	}
	hr := &helmv2.HelmRelease{}
	return hr, kjson.UnmarshalCaseSensitivePreserveInts(raw, &hr.Spec) // as the API server reads: Timeout is not timeout
}

// hasStrategy reports whether spec.install.strategy and spec.upgrade.strategy
// reach the controller, only in an object of version v2.
func hasStrategy(object map[string]any, controller Controller) bool {
	if controller.Schema != nil {
		return controller.Schema.takes(object, Path{"spec", "install", "strategy"})
	}
	return object["apiVersion"] == Group+"/v2" && controller.AtLeast(Since(FieldAdded, "install.strategy"))
}
