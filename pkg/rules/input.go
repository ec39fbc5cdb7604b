package rules

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/flux-remedy/remedy/pkg/release"

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
	// Texts are the names of the fields whose values are all known, and texts of 1 to
	// 53 characters: the API takes any such text for the name of a thing.
	Texts []string `json:"texts"`
	// Stateful reports whether the chart of the release holds data: by what it renders if that is
	// known, else because law.statefulCharts lists its name.
	Stateful bool `json:"stateful"`
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
	// Before are the settings of old; absent for a creation.
	Before *release.Settings `json:"before,omitempty"`
	// Changed is what an update changes: name, namespace and storageNamespace of the Helm
	// release, and chart, the field in spec.chart that names it. The webhook answers releases that are set
	// alike from memory if rules ask for this instead of for names.
	Changed []string `json:"changed,omitempty"`
	// Overrides are the failure settings of the release's own document that a
	// patch replaces or removes.
	Overrides []InputOverride `json:"overrides,omitempty"`
	// Alerting says who learns of its failures; absent if that is not known, as at
	// admission.
	Alerting *release.Alerting `json:"alerting,omitempty"`
	// Above is the Kustomization that applies it, with what is around that one; absent if that is not known, as at
	// admission, or if nothing depends on it and nothing of it can be wrong.
	Above *release.Above `json:"above,omitempty"`
	// Controller will act on the release.
	Controller InputController `json:"controller"`
	// Schema is what the API server accepts of a HelmRelease.
	Schema InputSchema `json:"schema"`
	// Prefer is the class that a fix leads to where both are possible: retry,
	// bounded, or empty if the configuration says nothing.
	Prefer Class `json:"prefer"`
	// Law are the limits that several rules share.
	Law Law `json:"law"`
	// Open are the rules that are not asked, because they read fields whose values are
	// not known, or because an API server has judged what they judge. It is for the entrypoint.
	Open []string `json:"open,omitempty"`
	// Only is the one rule that is asked, as category and id; nothing to ask for the
	// class. It is for the entrypoint.
	Only []string `json:"only,omitempty"`
	// Held are the rules that spec.rulesAsOf holds back: while they report, others do too.
	// It is for the entrypoint.
	Held []string `json:"held,omitempty"`
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

// InputController is what the policies see of the controller.
type InputController struct {
	// Version is its complete semantic version without "v".
	Version string `json:"version"`
	// VersionKnown is false if nothing says which version acts on the release, so that
	// Version is only assumed.
	VersionKnown bool `json:"versionKnown"`
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
func (e *Engine) Input(r *release.Release) (ast.Value, error) { return e.inputIn(e.view(r)) }

// inputIn returns the input that a view is of.
func (e *Engine) inputIn(v *view) (ast.Value, error) {
	limits, err := e.limitsOf(v.r.Tier)
	if err != nil {
		return nil, err
	}
	v.decodeBefore()
	v.input.Changed = v.changed()
	made := v.input
	made.Texts = textsIn(writtenFields(v.r.Object), v.r.Unknown)
	term, err := termOf(made)
	if err != nil {
		return nil, err
	}
	input := term.Value.(ast.Object)
	schema, err := e.schemaTerm(v.r)
	if err != nil {
		return nil, err
	}
	input.Insert(ast.InternedTerm("schema"), schema)
	input.Insert(ast.InternedTerm("law"), limits.law)
	input.Insert(ast.InternedTerm("params"), limits.params)
	if limits.held != nil {
		input.Insert(ast.InternedTerm("held"), limits.held)
	}
	return input, insertObjects(input, v.r)
}

// inputOf returns the sections of an input that are not made of objects, tiers or the
// configuration.
func (e *Engine) inputOf(r *release.Release) Input {
	gates := r.Controller.Gates
	limits, _ := e.limitsOf(r.Tier) // there is no input without them
	lost := lossOf(r)
	return Input{
		Stateful:    lost.stateful(limits.stateful[release.ChartName(r.Object)]),
		Loss:        lost,
		Replaced:    replacedBy(r),
		Typed:       r.Settings != nil && !slices.ContainsFunc(r.Unknown, func(u release.Unknown) bool { return u.Written }),
		Effective:   r.Settings,
		GateFlipped: r.GateFlipped,
		Overrides:   overrides(r),
		Alerting:    r.Alerting,
		Above:       r.Above,
		Controller: InputController{
			Version:                        strings.TrimPrefix(semver.Canonical("v"+r.Controller.Version), "v"),
			Known:                          r.Controller.Known,
			VersionKnown:                   !r.Controller.Assumed,
			DefaultToRetryOnFailure:        gates.DefaultToRetryOnFailure(),
			UseHelm3Defaults:               gates.UseHelm3Defaults(),
			CancelHealthCheckOnNewRevision: gates.CancelHealthCheckOnNewRevision(),
		},
		Prefer: e.config.Spec.Fix.Prefer,
		Open:   e.openFor(r),
	}
}

// view returns a view of the input of a release.
func (e *Engine) view(r *release.Release) *view {
	return &view{r: r, input: e.inputOf(r)}
}

// insertObjects adds object, fields and old.
func insertObjects(input ast.Object, r *release.Release) error {
	object, err := termOf(withoutValues(r.Object))
	if err != nil {
		return err
	}
	input.Insert(ast.InternedTerm("object"), object)
	input.Insert(ast.InternedTerm("fields"), fieldsOf(object))
	if r.Old == nil {
		return nil
	}
	old, err := termOf(withoutValues(r.Old))
	if err != nil {
		return err
	}
	input.Insert(ast.InternedTerm("old"), old)
	return nil
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

// at returns the value at a path of keys; nil if there is none.
func at(value any, path release.Path) any {
	for _, step := range path {
		object, _ := value.(map[string]any)
		key, _ := step.(string)
		value = object[key]
	}
	return value
}

// longestText is how long the shortest limit of the API lets a name be.
const longestText = 53

// textsIn returns Texts of an [Input].
func textsIn(fields map[string][]InputField, unknown []release.Unknown) []string {
	names := []string{}
	for _, name := range sortedKeys(fields) {
		if !slices.ContainsFunc(fields[name], func(f InputField) bool { return !isText(f, unknown) }) {
			names = append(names, name)
		}
	}
	return names
}

func isText(f InputField, unknown []release.Unknown) bool {
	text, ok := f.Value.(string)
	return ok && text != "" && utf8.RuneCountInString(text) <= longestText &&
		!slices.ContainsFunc(unknown, func(u release.Unknown) bool { return touches(u.Path, f.Path) })
}
