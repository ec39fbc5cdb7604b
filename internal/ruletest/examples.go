package ruletest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/alert"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The examples beside a rule: a release that it reports, and one that no rule does.
const (
	badFile  = "bad.yaml"
	goodFile = "good.yaml"
)

// example is a release beside a rule, judged.
type example struct {
	rule    string
	file    string
	engine  *rules.Engine // under the configuration beside the rule
	release *release.Release
	verdict rules.Verdict
	err     error // why there is no verdict
}

// judge evaluates an example in the first tier that its rule is not off in.
func judge(ctx context.Context, engine *rules.Engine, rule rules.Rule, folder fs.FS, name string) (*example, error) {
	config, err := ConfigBeside(folder)
	if err == nil && config != nil {
		engine, err = engine.Under(config)
	}
	if err != nil {
		return nil, fmt.Errorf("config.yaml: %w", err)
	}
	hr, err := Example(folder, name, tierOf(rule), config)
	if err != nil {
		return nil, err
	}
	verdict, err := engine.Evaluate(ctx, hr, time.Unix(0, 0))
	return &example{rule.ID, name, engine, hr, verdict, nil}, err
}

// ConfigBeside returns the configuration beside an example, which is config.yaml; nil if there
// is none.
func ConfigBeside(folder fs.FS) (*rules.Config, error) {
	data, err := optional(folder, "config.yaml")
	if data == nil || err != nil {
		return nil, err
	}
	return rules.ParseConfig(data)
}

// optional reads a file; nil if it is not there.
func optional(folder fs.FS, name string) ([]byte, error) {
	data, err := fs.ReadFile(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// IsExample reports whether a file has the name of an example.
func IsExample(name string) bool { return name == badFile || name == goodFile }

// Example reads a release with what is beside it: old.yaml is the object that it replaces,
// written.yaml the release's own document before patches, NAME.alerts.yaml beside NAME.yaml
// the Alerts, Providers and Kustomizations of the cluster, of which the first applies it,
// NAME.rendered.yaml what its chart renders, and old.rendered.yaml what that of old.yaml does.
// config may be nil.
func Example(folder fs.FS, name string, tier release.Tier, config *rules.Config) (*release.Release, error) {
	object, err := objectIn(folder, name)
	if err != nil {
		return nil, err
	}
	if config == nil {
		config = &rules.Config{}
	}
	hr, err := release.Decode(object, config.ControllerAt(rules.Place{}, release.Controller{}))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hr.Tier = tier
	if hr.Alerting, err = alertingIn(folder, strings.TrimSuffix(name, ".yaml")+".alerts.yaml", hr); err != nil {
		return nil, err
	}
	if err = above(folder, strings.TrimSuffix(name, ".yaml")+".alerts.yaml", hr); err != nil {
		return nil, err
	}
	if hr.Loss, err = lossIn(folder, strings.TrimSuffix(name, ".yaml")+".rendered.yaml"); err != nil {
		return nil, err
	}
	if hr.Old, err = objectIn(folder, "old.yaml"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	written, err := objectIn(folder, "written.yaml")
	switch {
	case err == nil:
		hr.Overridden = overrides(nil, written, hr.Object)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	return hr, nil
}

// tierOf returns the first tier that a rule is not off in.
func tierOf(rule rules.Rule) release.Tier {
	i := slices.IndexFunc(release.Tiers, func(tier release.Tier) bool { return rule.Severity[tier] != rules.Off })
	return release.Tiers[max(i, 0)]
}

func objectIn(folder fs.FS, name string) (object map[string]any, err error) {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	if err := yaml.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return object, nil
}

// alertingIn says who learns of the failures of a release by the Alerts of a file; nil if
// there is none.
func alertingIn(folder fs.FS, name string, hr *release.Release) (*release.Alerting, error) {
	data, err := optional(folder, name)
	if data == nil || err != nil {
		return nil, err
	}
	out, err := Alerting(data, hr)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// Alerting says who learns of the failures of a release by the Alerts and Providers among
// documents. The first Kustomization among them applies the release.
func Alerting(documents []byte, hr *release.Release) (*release.Alerting, error) {
	all, err := objectsOf(documents)
	if err != nil {
		return nil, err
	}
	subjects := []alert.Subject{{Kind: "HelmRelease", Namespace: hr.Namespace, Name: hr.Name}}
	cluster, fleet, out := alert.Read(all, false), alert.Fleet{}, &release.Alerting{}
	for _, object := range all {
		if object["kind"] == "Kustomization" {
			meta, _ := object["metadata"].(map[string]any)
			s := alert.Subject{Kind: "Kustomization", Namespace: fmt.Sprint(meta["namespace"]), Name: fmt.Sprint(meta["name"])}
			fleet.Report("", s.Namespace+"/"+s.Name, cluster.Statuses(object))
			subjects = append(subjects, s)
		}
	}
	told, missed := cluster.Told(subjects[:min(len(subjects), 2)])
	out.Untold, out.Missed = !told, missed
	if hr.Tier == release.Development {
		out.Noise = fleet.Noise("", cluster.Channels(subjects[0]))
	}
	if len(subjects) > 1 {
		out.Shared = fleet.Shared("", subjects[1].Namespace+"/"+subjects[1].Name)
	}
	return out, nil
}

// above says what is above a release, and whether that is suspended, by the Kustomizations of a file.
func above(folder fs.FS, name string, hr *release.Release) error {
	data, err := optional(folder, name)
	if data == nil || err != nil || hr.Settings == nil {
		return err
	}
	f, err := fleetOf(data)
	if err != nil || len(f.Kustomizations) == 0 {
		return err
	}
	if k := f.Kustomizations[0]; k.Suspend {
		hr.Standstills = []release.Standstill{{
			Of: release.OfRelease, Object: "Kustomization/" + k.Name, Path: release.Path{"spec", "suspend"}, Why: fmt.Sprintf("Kustomization %s is suspended", k.Name), Waiting: f.Waiting(k.Name),
		}}
	}
	hr.Above = aboveIn(f, hr)
	return nil
}

// Above says what is above a release by the Kustomizations among documents, and the HelmReleases that carry the
// labels of what applies them. The first Kustomization applies the release. It is nil if none depends on another.
func Above(documents []byte, hr *release.Release) (*release.Above, error) {
	f, err := fleetOf(documents)
	if err != nil {
		return nil, err
	}
	return aboveIn(f, hr), nil
}

func aboveIn(f wave.Fleet, hr *release.Release) *release.Above {
	if !slices.ContainsFunc(f.Kustomizations, func(k wave.Kustomization) bool { return len(k.DependsOn) > 0 }) && len(f.Releases) == 0 {
		return nil
	}
	name := hr.Namespace + "/" + hr.Name
	own := wave.Release{Name: name, Parent: f.Kustomizations[0].Name, Settings: *hr.Settings, Controller: hr.Controller}
	f.Releases = append(f.Releases, own)
	above := f.Above(own, *f.Over(own.Parent, f.Links()))
	if holder, workers := f.Held(); holder == f.Kustomizations[0].Name {
		above.Workers = workers
	}
	return above
}

func fleetOf(documents []byte) (f wave.Fleet, err error) {
	all, err := objectsOf(documents)
	for _, object := range all {
		switch object["kind"] {
		case "Kustomization":
			k, on, err := wave.Decode(object)
			if err != nil {
				return f, err
			}
			for _, on := range on {
				k.DependsOn = append(k.DependsOn, on.Name)
			}
			f.Kustomizations = append(f.Kustomizations, k)
		case "HelmRelease":
			hr, err := release.Decode(object, release.Controller{})
			if err != nil || hr.Settings == nil {
				return f, fmt.Errorf("HelmRelease %v cannot be read: %w", object["metadata"], err)
			}
			meta, _ := object["metadata"].(map[string]any)
			labels, _ := meta["labels"].(map[string]any)
			parent := fmt.Sprintf("%v/%v", labels["kustomize.toolkit.fluxcd.io/namespace"], labels["kustomize.toolkit.fluxcd.io/name"])
			f.Releases = append(f.Releases, wave.Release{Name: hr.Namespace + "/" + hr.Name, Parent: parent, Settings: *hr.Settings})
		}
	}
	return f, err
}

// objectsOf returns the objects of documents, and the items of lists as kubectl prints them.
func objectsOf(documents []byte) (all []map[string]any, err error) {
	for document := range strings.SplitSeq("\n"+string(documents), "\n---") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			return nil, err
		}
		items, ok := object["items"].([]any)
		if !ok {
			all = append(all, object)
		}
		for _, item := range items {
			if one, ok := item.(map[string]any); ok {
				all = append(all, one)
			}
		}
	}
	return all, nil
}

// overrides lists the fields of the written object whose effective values differ.
func overrides(at release.Path, written, effective any) []release.Override {
	object, ok := written.(map[string]any)
	if !ok {
		if reflect.DeepEqual(written, effective) {
			return nil
		}
		return []release.Override{{Path: at, Written: written, Effective: effective}}
	}
	var all []release.Override
	for key, value := range object {
		inForce, _ := effective.(map[string]any)
		all = append(all, overrides(append(slices.Clone(at), key), value, inForce[key])...)
	}
	return all
}

// examples checks that bad.yaml is reported by the rule alone, and good.yaml by none.
func (t *tested) examples() ([]Fault, error) {
	var faults []Fault
	for _, name := range []string{badFile, goodFile} {
		found, err := t.example(name)
		if err != nil {
			return nil, err
		}
		if found == nil {
			faults = append(faults, t.exampleFault(name, nil, t.cannot[name]))
			continue
		}
		faults = append(faults, t.untrue(found)...)
	}
	return faults, nil
}

// untrue returns what an example does not say as its name does.
func (t *tested) untrue(e *example) (faults []Fault) {
	own := 0
	for _, f := range e.verdict.Findings {
		switch {
		case f.Rule == t.rule.ID && e.file == badFile:
			own++
			if _, err := forecast.Find(f.Scenario); err != nil && f.Scenario != "" && f.Scenario != t.rule.Scenario {
				faults = append(faults, t.exampleFault(e.file, f.Path, "the finding here: "+err.Error()))
			}
		case f.Rule != t.rule.ID && t.opts.tolerates(f):
		case e.file == badFile:
			faults = append(faults, t.exampleFault(e.file, f.Path, fmt.Sprintf(
				"%s reports %s here too (%s): one cause has one finding, and bad.yaml one cause", f.Rule, f.Path, f.Message)))
		default:
			faults = append(faults, t.exampleFault(e.file, f.Path, fmt.Sprintf("%s reports %s: %s; no rule may report good.yaml", f.Rule, f.Path, f.Message)))
		}
	}
	if own == 0 && e.file == badFile {
		faults = append(faults, t.exampleFault(e.file, nil, fmt.Sprintf(
			"%s does not report this release in %s: \"flux-remedy rules explain %[1]s --input %[3]s\" says why", t.rule.ID, e.release.Tier, e.file)))
	}
	return faults
}

func (t *tested) exampleFault(name string, path release.Path, message string) Fault {
	return Fault{File: t.source.at(t.inFolder(name)), Line: exampleLine(t.folder, name, path), Message: message}
}
