package rules

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"

	"github.com/open-policy-agent/opa/v1/ast"
	"golang.org/x/mod/semver"
)

// Input is what the policies see of a release, as input.
type Input struct {
	// Object is the HelmRelease as Flux will apply it, without its values.
	Object map[string]any `json:"object"`
	// Fields are the values written at and below the object's spec by the name
	// of their field in the API: the keys below spec joined by dots, * for an item
	// of a list, ? for a key that is empty, is * or has a dot. Null is left out
	// except in lists, because the API server drops it.
	Fields map[string][]InputField `json:"fields"`
	// Invalid are those of Fields whose values the API server refuses, as its definition in the
	// tree says, else as lib.fields does.
	Invalid map[string][]InvalidField `json:"invalid"`
	// Places are the places of Fields with the types of their values.
	Places map[string][]InputPlace `json:"places"`
	// Written are the names of Fields, by the key below spec and by the rest of the name, which
	// is empty for the key itself: written.install["remediation.retries"].
	Written map[string]map[string]bool `json:"written"`
	// Stateful is the name of the release's chart if that holds data: by what it renders if that is
	// known, else because law.statefulCharts lists its name. Absent if it holds none.
	Stateful string `json:"stateful,omitempty"`
	// Loss is what an uninstall deletes by the chart itself; absent if nobody asks, as at admission.
	Loss *InputLoss `json:"loss,omitempty"`
	// Old is the object that an update replaces; absent for a creation.
	Old map[string]any `json:"old,omitempty"`
	// Replaced is what the uninstall of old deletes, where a comparison of two trees has old; absent
	// elsewhere, as at admission.
	Replaced *InputLoss `json:"replaced,omitempty"`
	// Typed reports whether every value has the type that the API wants.
	Typed bool `json:"typed"`
	// Effective are the failure settings as helm-controller resolves them;
	// absent if the API server would refuse the object.
	Effective *release.Settings `json:"effective,omitempty"`
	// GateFlipped are the settings with the controller's gate
	// DefaultToRetryOnFailure turned the other way.
	GateFlipped *release.Settings `json:"flipped,omitempty"`
	// Timeouts are what fixes ask for: a fix that depends on a value that is not known would leave open whether
	// its rule reports at all.
	Timeouts InputTimeouts `json:"timeouts,omitzero"`
	// Before are the settings of old; absent for a creation.
	Before *release.Settings `json:"before,omitempty"`
	// Moves is what an update makes of the Helm release another one by; absent if nothing does.
	Moves *InputMoves `json:"moves,omitempty"`
	// Overrides are the failure settings of the release's own document that a
	// patch replaces or removes.
	Overrides []InputOverride `json:"overrides,omitempty"`
	// Alerting says who learns of its failures; absent if that is not known, as at
	// admission.
	Alerting *release.Alerting `json:"alerting,omitempty"`
	// Above is the Kustomization that applies it, with what is around that one; absent if that is not known, as at
	// admission, or if nothing depends on it and nothing of it can be wrong.
	Above *release.Above `json:"above,omitempty"`
	// Needs are its dependencies that are never ready; absent without any, and where that is not known, as at
	// admission.
	Needs []release.Need `json:"needs,omitempty"`
	// Standstills are what commits to it stop at; absent without any, and where that is not known, as at admission.
	Standstills []release.Standstill `json:"standstills,omitempty"`
	// Controller will act on the release.
	Controller InputController `json:"controller"`
	// Schema is what the API server accepts of a HelmRelease.
	Schema InputSchema `json:"schema"`
	// Prefer is the class that a fix leads to where both are possible: retry,
	// bounded, or empty if the configuration says nothing.
	Prefer Class `json:"prefer"`
	// Law are the limits that several rules share.
	Law Law `json:"law"`
	// Open are the rules that are not asked, because an API server has judged what they
	// judge. It is for the entrypoint.
	Open []string `json:"open,omitempty"`
	// Held are the rules that spec.rulesAsOf holds back: while they report, others do too.
	// It is for the entrypoint.
	Held []string `json:"held,omitempty"`
	// Off are the rules that report nothing in the tier of the release: no fix does what they ask for.
	Off map[string]bool `json:"off"`
	// Params are the parameters by rule and name.
	Params map[string]map[string]any `json:"params"`
}

// InputField is a value written at or below spec.
type InputField struct {
	// Path is where it is in the object, as keys and indexes.
	Path []any `json:"path"`
	// Value is what is written there.
	Value any `json:"value"`
}

// InvalidField is a value written at or below spec that the API server refuses.
type InvalidField struct {
	// Path is where it is in the object, as keys and indexes.
	Path []any `json:"path"`
	// Value is what is written there.
	Value any `json:"value"`
	// Breaks says what of the schema: type, enum, max, min, pattern, required or items.
	Breaks string `json:"breaks"`
}

// InputPlace is where a value is written at or below spec.
type InputPlace struct {
	// Path is where it is in the object, as keys and indexes.
	Path []any `json:"path"`
	// Type is its type: object, array, string, number, boolean or null.
	Type string `json:"type"`
}

// InputTimeouts are the effective timeouts of install and upgrade, each only if it is known and above zero.
type InputTimeouts struct {
	Install release.Duration `json:"install,omitzero"`
	Upgrade release.Duration `json:"upgrade,omitzero"`
}

func timeoutsOf(r *release.Release) (out InputTimeouts) {
	known := func(half string) bool {
		return r.Settings != nil && !slices.ContainsFunc(r.Unknown, func(u release.Unknown) bool {
			return !u.Before && slices.ContainsFunc(u.Settings(), func(at release.Path) bool { return touches(at, release.Path{half, "timeout"}) })
		})
	}
	if known("install") {
		out.Install = r.Settings.Install.Timeout
	}
	if known("upgrade") {
		out.Upgrade = r.Settings.Upgrade.Timeout
	}
	return out
}

// InputController is what the policies see of the controller.
type InputController struct {
	// Version is its complete semantic version without "v".
	Version string `json:"version"`
	// VersionKnown is false if nothing says which version acts on the release, so that
	// Version is only assumed.
	VersionKnown bool `json:"versionKnown"`
	// VersionHidden is true if something installs the controller, and its version
	// cannot be read there.
	VersionHidden bool `json:"versionHidden"`
	// Known reports whether the repository or the configuration says which controller
	// acts, and so how its gates stand.
	Known bool `json:"known"`
	// DefaultToRetryOnFailure is the gate of that name.
	DefaultToRetryOnFailure bool `json:"defaultToRetryOnFailure"`
	// UseHelm3Defaults is the gate of that name.
	UseHelm3Defaults bool `json:"useHelm3Defaults"`
	// CancelHealthCheckOnNewRevision is the gate of that name.
	CancelHealthCheckOnNewRevision bool `json:"cancelHealthCheckOnNewRevision"`
}

// InputOverride is what the policies see of an [Override].
type InputOverride struct {
	// Path is the field, as keys and indexes.
	Path []any `json:"path"`
	// Written is the value in the release's own document.
	Written any `json:"written"`
	// Effective is the value in force; null if a patch takes the field away.
	Effective any `json:"effective"`
}

// Input returns the input of the policies for a release, in the shape of [Input].
// The tests of rules are run on it.
func (e *Engine) Input(r *release.Release) (ast.Value, error) {
	input, err := e.inputOf(r)
	if err != nil {
		return nil, err
	}
	term, err := places.TermOf(input)
	if err != nil {
		return nil, err
	}
	return term.Value, nil
}

// inputOf returns the input of the policies for a release: objects, lists, texts, numbers,
// true and false, what is sealed, and what is made when a rule needs it: lists, and values of Go.
func (e *Engine) inputOf(r *release.Release) (map[string]any, error) {
	limits, err := e.limitsOf(r.Tier)
	if err != nil {
		return nil, err
	}
	schema, err := e.schemaOf(r)
	if err != nil {
		return nil, err
	}
	api, err := e.apiOf(r)
	if err != nil {
		return nil, err
	}
	before, lost := r.SettingsBefore(), lossOf(r)
	object := withoutValues(r.Object)
	input := map[string]any{
		"object": object, "fields": valuesOf(object), "invalid": invalidIn(object, api, r), "places": placesOf(object), "written": writtenIn(object),
		"typed":      typed(r),
		"controller": controllerOf(r.Controller),
		"prefer":     string(e.config.Spec.Fix.Prefer),
		"schema":     schema, "law": limits.law, "off": limits.off, "params": limits.params,
	}
	add := func(name string, part any) {
		if v := reflect.ValueOf(part); !v.IsZero() {
			input[name] = v
		}
	}
	add("open", e.openFor(r))
	add("held", e.newRules())
	add("effective", r.Settings)
	add("flipped", r.GateFlipped)
	add("timeouts", timeoutsOf(r))
	add("before", before)
	add("moves", movesOf(r, before))
	add("overrides", overrides(r))
	add("alerting", r.Alerting)
	add("above", r.Above)
	add("needs", r.Needs)
	add("standstills", r.Standstills)
	add("loss", lost)
	add("replaced", replacedBy(r))
	if chart := release.ChartName(r.Object); lost.stateful(limits.stateful[chart]) {
		input["stateful"] = cmp.Or(chart, "the chart")
	}
	if r.Old != nil {
		input["old"] = withoutValues(r.Old)
	}
	return input, nil
}

func controllerOf(c release.Controller) map[string]any {
	return map[string]any{
		"version":                        strings.TrimPrefix(semver.Canonical("v"+c.Version), "v"),
		"known":                          c.Known,
		"versionKnown":                   !c.Assumed,
		"versionHidden":                  c.Hidden,
		"defaultToRetryOnFailure":        c.Gates.DefaultToRetryOnFailure(),
		"useHelm3Defaults":               c.Gates.UseHelm3Defaults(),
		"cancelHealthCheckOnNewRevision": c.Gates.CancelHealthCheckOnNewRevision(),
	}
}

func overrides(r *release.Release) []InputOverride {
	var out []InputOverride
	for _, o := range r.Overridden {
		out = append(out, InputOverride{Path: o.Path, Written: o.Written, Effective: o.Effective})
	}
	return out
}

func withoutValues(object map[string]any) map[string]any {
	spec, ok := object["spec"].(map[string]any)
	if !ok {
		return object
	}
	spec = maps.Clone(spec)
	delete(spec, "values")
	object = maps.Clone(object)
	object["spec"] = spec
	return object
}

// sections are the keys of an input.
var sections = places.Keys(reflect.TypeFor[Input]())
