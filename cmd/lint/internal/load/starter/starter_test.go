package starter_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/starter"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func in(cluster string, tier release.Tier, from string) *effective.Release {
	decoded := &release.Release{Name: "app", Namespace: "apps", Tier: tier, Controller: release.Controller{Version: release.DefaultControllerVersion}}
	r := &effective.Release{Release: decoded}
	r.Cluster, r.TierFrom, r.AppliedBy = cluster, from, []effective.Writer{{What: "Kustomization apps"}}
	return r
}

// TestOf: the first configuration says the tier of each cluster as it is without one, whatever its name is, and accepts
// what could not be judged in one entry for each reason.
func TestOf(t *testing.T) {
	tree := &effective.Tree{
		Releases: []*effective.Release{
			in("live*", release.Production, "default"), in("test", release.Staging, `cluster name "test"`),
			in("mixed", release.Production, "path"), in("mixed", release.Development, "path"),
		},
		Undetermined: []release.Undetermined{
			{File: "a.yaml", Release: "apps/a", Reason: "depends on ${x}; more"}, {File: "b[1].yaml", Reason: "no such folder"}, {Reason: "of no file"},
		},
		Unapplied: []release.Undetermined{{File: "c.yaml", Reason: "no such folder"}},
	}
	run := &judge.Run{State: judge.State{Tree: tree}, Now: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	first := starter.Of(run, report.Report{})
	var out bytes.Buffer
	if err := first.Write(&out); err != nil {
		t.Fatal(err)
	}
	config, err := rules.ParseConfig(out.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for cluster, want := range map[string]release.Tier{"live*": release.Production, "live-2": "", "test": release.Staging, "mixed": ""} {
		var got release.Tier
		for _, one := range config.Spec.Tiers {
			if slices.Contains(one.Clusters, strings.ReplaceAll(cluster, "*", `\*`)) {
				got = one.Tier
			}
		}
		if got != want {
			t.Errorf("cluster %s is in %q, want %q:\n%s", cluster, got, want, out.String())
		}
	}
	var accepted []string
	for _, entry := range config.Spec.Undetermined.Accept {
		accepted = append(accepted, entry.Path+" "+entry.Release+" "+entry.Message)
	}
	if want := []string{"a.yaml apps/a depends on ${x}", `b\[1\].yaml  no such folder`, "c.yaml  no such folder"}; !slices.Equal(accepted, want) {
		t.Errorf("it accepts %q, want %q", accepted, want)
	}
	if said := strings.Join(first.Summary(), "\n"); !strings.Contains(said, "3 clusters") || !strings.Contains(said, "1 without the name of an environment") || !strings.Contains(said, "2 files could not be judged") {
		t.Errorf("it says\n%s", said)
	}
}

// TestFiles: no file is written over, and a line for Flux stands once in a file that keeps what it has.
func TestFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := starter.Free(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{rules.ConfigFile, judge.BaselineName} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := starter.Free(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is there: %v", name, err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(".sourceignore", []byte("*.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, want := range []bool{true, false} {
		if added, err := starter.Exclude(".flux-*"); added != want || err != nil {
			t.Errorf("added %t, %v, want %t", added, err, want)
		}
	}
	if text, err := os.ReadFile(".sourceignore"); string(text) != "*.md\n.flux-*\n" {
		t.Errorf("%q, %v", text, err)
	}
}
