package repair

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// TestFixOfEveryRule repairs the bad.yaml of every rule that offers a repair: it
// becomes good.yaml byte for byte, and a second run changes nothing. So does one
// of whatever else can be asked for.
func TestFixOfEveryRule(t *testing.T) {
	engine := newEngine(t)
	repaired := 0
	for _, rule := range engine.Rules() {
		t.Run(rule.ID, func(t *testing.T) {
			folder := filepath.Join("../../../../policies/rules", rule.Category, rule.ID)
			file := filepath.Join(t.TempDir(), "release.yaml")
			bad := readFile(t, filepath.Join(folder, "bad.yaml"))
			writeFile(t, file, bad)
			f := repairerOfRule(t, engine, folder, file, []string{"unsafe"}, "")
			offered := func(found target) bool { return found.finding.Fix != nil }
			if !slices.ContainsFunc(targetsOf(f.state.Releases[0]), offered) {
				return
			}
			repaired++
			for _, of := range targetsOf(f.state.Releases[0]) {
				checkNeeds(t, Remedies(f.state, nil, false), of)
			}
			repairAll(t, f)
			if got, want := readFile(t, file), readFile(t, filepath.Join(folder, "good.yaml")); !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s\nrefused %v", got, want, f.planner.refused)
			}
			for _, way := range fixWays {
				writeFile(t, file, bad)
				repairAll(t, repairerOfRule(t, engine, folder, file, way.kinds, way.prefer))
				again := repairerOfRule(t, engine, folder, file, way.kinds, way.prefer)
				if repairAll(t, again); len(again.made) > 0 {
					t.Errorf("%v: a second run repairs %v", way, again.made)
				}
			}
		})
	}
	if repaired < 20 {
		t.Errorf("only %d rules offer a repair", repaired)
	}
}

func newEngine(t *testing.T) *rules.Engine {
	t.Helper()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

// fixWays are the ways to ask for repairs.
var fixWays = []struct {
	kinds  []string
	prefer rules.Class
}{
	{[]string{"safe"}, rules.ClassRetry},
	{[]string{"unsafe"}, rules.ClassRetry},
	{[]string{"central", "unsafe"}, rules.ClassRetry},
	{[]string{"unsafe"}, rules.ClassBounded},
	{[]string{"central", "unsafe"}, rules.ClassBounded},
}

// repairerOfRule returns a Repairer of one file under the configuration of a rule's
// folder, as an update of its old.yaml if it has one.
func repairerOfRule(t *testing.T, engine *rules.Engine, folder, file string, kinds []string, prefer rules.Class) *Repairer {
	t.Helper()
	config := &rules.Config{}
	if data, err := os.ReadFile(filepath.Join(folder, "config.yaml")); err == nil {
		if config, err = rules.ParseConfig(data); err != nil {
			t.Fatal(err)
		}
	}
	selected, err := judge.Select(engine, []string{filepath.Base(folder)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	config.Spec.Fix.Prefer = cmp.Or(prefer, config.Spec.Fix.Prefer)
	var old map[string]any
	if data, err := os.ReadFile(filepath.Join(folder, "old.yaml")); err == nil {
		if err := yaml.Unmarshal(data, &old); err != nil {
			t.Fatal(err)
		}
	}
	f := repairerOf(t, engine, config, file, kinds, nil, func(hr *effective.Release) {
		hr.Tier, hr.Old = release.Production, old
	})
	f.planner.Rules = selected
	return f
}

// fixerOf returns a Repairer of a file or a tree, whose state may be known, and does
// something with each release before it is judge.Release.
func repairerOf(t *testing.T, engine *rules.Engine, config *rules.Config, path string, kinds []string, now *judge.State, each func(*effective.Release)) *Repairer {
	t.Helper()
	opts := effective.Options{Config: config, Builder: build.NewBuilder()}
	judged, err := judge.NewEvaluator(engine, judge.Configuration{Config: config}, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	look := func(changes map[string][]byte) (judge.State, error) {
		if changes == nil {
			opts.Inputs = []effective.Input{inputOf(t, path, opts.Builder)}
		}
		tree, err := effective.Load(context.Background(), opts.With(changes))
		if err != nil {
			return judge.State{}, err
		}
		for _, release := range tree.Releases {
			each(release)
		}
		return judged.Evaluate(context.Background(), tree)
	}
	first, err := look(nil)
	if err != nil {
		t.Fatal(err)
	}
	if now == nil {
		now = &first
	}
	kind := Options{Unsafe: slices.Contains(kinds, "unsafe"), Central: slices.Contains(kinds, "central"), Rule: engine.Rule, Foresee: judged.Foresee(context.Background())}
	f, err := New(*now, []string{path}, kind, look)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// inputOf opens a file or folder of the disk.
func inputOf(t *testing.T, path string, builder *build.Builder) effective.Input {
	t.Helper()
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		files, err := tree.Single(path)
		if err != nil {
			t.Fatal(err)
		}
		return effective.Input{Files: files, AsWritten: true}
	}
	files, err := tree.Folder(t.Context(), path, tree.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := effective.Open(t.Context(), files, builder)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func repairAll(t *testing.T, f *Repairer) {
	t.Helper()
	if err := f.Run(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(func() (judge.State, error) { return f.look(nil) }); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func writeFile(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
