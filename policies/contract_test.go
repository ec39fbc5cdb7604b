package policies_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/pkg/alert"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestContract checks every rule's folder: its files, complete METADATA, severities
// by tier that follow from the category, and that bad.yaml is reported by this rule
// only and good.yaml by none.
func TestContract(t *testing.T) {
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	folders, err := fs.Glob(os.DirFS("."), "rules/*/*")
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) != len(engine.Rules()) {
		t.Errorf("%d folders below rules, %d rules", len(folders), len(engine.Rules()))
	}
	for _, rule := range engine.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			folder := path.Join("rules", rule.Category, rule.ID)
			for _, name := range []string{rule.ID + ".rego", rule.ID + "_test.rego", "README.md"} {
				if _, err := os.Stat(path.Join(folder, name)); err != nil {
					t.Error(err)
				}
			}
			checkMetadata(t, rule)
			bad := judge(t, engine, folder, "bad.yaml")
			if len(bad) == 0 || slices.ContainsFunc(bad, func(id string) bool { return id != rule.ID }) {
				t.Errorf("bad.yaml is reported by %v, want %s alone", bad, rule.ID)
			}
			if good := judge(t, engine, folder, "good.yaml"); len(good) != 0 {
				t.Errorf("good.yaml is reported by %v, want no rule", good)
			}
		})
	}
}

// limitRule reports on every release of class bounded, and so on the examples of
// other rules too.
const limitRule = "bounded-restart-limit"

func checkMetadata(t *testing.T, rule rules.Rule) {
	t.Helper()
	if n := utf8.RuneCountInString(rule.Title); n == 0 || n > 80 || strings.HasSuffix(rule.Title, ".") {
		t.Errorf("the title has %d characters, want at most 80 and no full stop: %s", n, rule.Title)
	}
	if n := utf8.RuneCountInString(rule.Help); n == 0 || n > 100 || !strings.HasSuffix(rule.Help, ".") {
		t.Errorf("custom.help has %d characters, want a sentence of at most 100: %s", n, rule.Help)
	}
	if len(rule.References) == 0 {
		t.Error("METADATA has no related_resources")
	}
	production, staging := rule.Severity[release.Production], rule.Severity[release.Staging]
	if want := milder(production); staging != want {
		t.Errorf("severity in staging is %s, want %s: one step below production", staging, want)
	}
	want := rules.Off
	if rule.Category == "api" || rule.Category == "data-safety" {
		want = milder(staging)
	}
	if production == rules.Off {
		return // it is about development
	}
	if development := rule.Severity[release.Development]; development != want {
		t.Errorf("severity in development is %s, want %s", development, want)
	}
}

// milder returns the severity one step milder; off after info.
func milder(s rules.Severity) rules.Severity {
	at := slices.Index(rules.Severities, s)
	return rules.Severities[min(at+1, len(rules.Severities)-1)]
}

// judge evaluates an example in production and returns the ids of the rules that
// report. Other files of the folder count if they exist: config.yaml is the
// configuration, old.yaml the object that the example replaces, written.yaml the
// release's own document before patches, and NAME.alerts.yaml beside NAME.yaml the Alerts,
// Providers and Kustomizations of the cluster, of which the first applies the example.
func judge(t *testing.T, engine *rules.Engine, folder, name string) []string {
	t.Helper()
	config := &rules.Config{}
	if data, err := os.ReadFile(path.Join(folder, "config.yaml")); err == nil {
		if config, err = rules.ParseConfig(data); err != nil {
			t.Fatal(err)
		}
		if engine, err = engine.Under(config); err != nil {
			t.Fatal(err)
		}
	}
	hr, err := release.Decode(object(t, path.Join(folder, name)), config.ControllerAt(rules.Place{}, release.Controller{}))
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = tierOf(engine, folder)
	hr.Alerting = alerting(t, hr, path.Join(folder, strings.TrimSuffix(name, ".yaml")+".alerts.yaml"))
	if _, err := os.Stat(path.Join(folder, "old.yaml")); err == nil {
		hr.Old = object(t, path.Join(folder, "old.yaml"))
	}
	if _, err := os.Stat(path.Join(folder, "written.yaml")); err == nil {
		hr.Overridden = overrides(nil, object(t, path.Join(folder, "written.yaml")), hr.Object)
	}
	verdict, err := engine.Evaluate(context.Background(), hr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, finding := range verdict.Findings {
		if finding.Rule != limitRule || path.Base(folder) == limitRule {
			ids = append(ids, finding.Rule)
		}
	}
	return ids
}

// tierOf returns the first tier that a rule is not off in.
func tierOf(engine *rules.Engine, folder string) release.Tier {
	rule, _ := engine.Rule(path.Base(folder))
	i := slices.IndexFunc(release.Tiers, func(tier release.Tier) bool { return rule.Severity[tier] != rules.Off })
	return release.Tiers[max(i, 0)]
}

// alerting says who learns of the failures of a release by the Alerts of a file; nil if
// there is none.
func alerting(t *testing.T, hr *release.Release, file string) *release.Alerting {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	var all, kustomizations []map[string]any
	for _, document := range strings.Split(string(data), "---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(document), &object); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if all = append(all, object); object["kind"] == "Kustomization" {
			kustomizations = append(kustomizations, object)
		}
	}
	cluster, fleet, out := alert.Read(all, false), alert.Fleet{}, &release.Alerting{}
	subjects := []alert.Subject{{Kind: "HelmRelease", Namespace: hr.Namespace, Name: hr.Name}}
	for _, k := range kustomizations {
		name := k["metadata"].(map[string]any)
		s := alert.Subject{Kind: "Kustomization", Namespace: name["namespace"].(string), Name: name["name"].(string)}
		fleet.Report("", s.Namespace+"/"+s.Name, cluster.Statuses(k))
		subjects = append(subjects, s)
	}
	told, missed := cluster.Told(subjects[:min(len(subjects), 2)])
	out.Untold, out.Missed = !told, missed
	if hr.Tier == release.Development {
		out.Noise = fleet.Noise("", cluster.Channels(subjects[0]))
	}
	if len(kustomizations) > 0 {
		out.Shared = fleet.Shared("", subjects[1].Namespace+"/"+subjects[1].Name)
	}
	return out
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

func object(t *testing.T, file string) map[string]any {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var object map[string]any
	if err := yaml.Unmarshal(bytes.TrimSpace(data), &object); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return object
}
