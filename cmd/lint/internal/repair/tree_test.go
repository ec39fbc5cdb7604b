package repair

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestFixOfTrees repairs a copy of every example tree, and trees that are made up of overlays,
// shared bases, tiers and waivers, in every way: what is said to be fixed is gone, all laws hold,
// git am makes the same of the patch, and a second run changes nothing.
func TestFixOfTrees(t *testing.T) {
	engine := newEngine(t)
	trees, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	changed := map[bool]int{} // by whether one patch did it for many
	for _, tree := range append(trees, "../../../../testdata/demo") {
		dir := filepath.Join(t.TempDir(), filepath.Base(tree))
		if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
			t.Fatal(err)
		}
		checkEveryWay(t, engine, dir, changed)
	}
	for seed := range uint64(generatedTrees) {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(seed))
		generate(t, dir, rand.New(rand.NewPCG(seed, 1)))
		checkEveryWay(t, engine, dir, changed)
	}
	if changed[false] < 50 || changed[true] < 4+generatedTrees/2 {
		t.Errorf("repairs by one patch for many releases: %d, others: %d", changed[true], changed[false])
	}
}

// checkEveryWay repairs a tree in every way, and counts the repairs. Who asks for more is left with
// no more findings.
func checkEveryWay(t *testing.T, engine *rules.Engine, dir string, changed map[bool]int) {
	t.Helper()
	known := map[rules.Class]*judge.State{}
	left := map[string]judge.State{}
	patched := map[string]map[string][]byte{}
	for _, way := range fixWays {
		t.Run(fmt.Sprint(filepath.Base(dir), way), func(t *testing.T) {
			config := &rules.Config{}
			config.Spec.Fix.Prefer = way.prefer
			config.Spec.Controller.Version = release.DefaultControllerVersion // known, so that all is repaired
			f := repairerOf(t, engine, config, dir, way.kinds, known[way.prefer], func(*effective.Release) {})
			before := f.state
			known[way.prefer] = &before
			checkFix(t, before, f, dir, patched)
			for kinds, less := range left {
				if strings.HasSuffix(kinds, string(way.prefer)) && compareFindings(f.state, less) > 0 {
					t.Errorf("%v leaves %v, %s only %v", way, countFindings(f.state), kinds, countFindings(less))
				}
			}
			left[fmt.Sprint(way.kinds, way.prefer)] = f.state
			for _, m := range f.made {
				changed[m.central != nil]++
			}
			checkAgain(t, f, dir)
			if err := f.files.Restore(); err != nil {
				t.Fatal(err)
			}
			if way.kinds[0] == "central" {
				return // reports suggest no patch for many
			}
			checkSuggested(t, repairerOf(t, engine, config, dir, way.kinds, &before, func(*effective.Release) {}), f.files.Names())
		})
	}
}

// checkSuggested checks that what reports suggest is in files that the repairs change.
func checkSuggested(t *testing.T, f *Repairer, changed []string) {
	t.Helper()
	hunks, err := f.Suggest()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range f.before.state.Releases {
		for _, found := range targetsOf(of) {
			if found.finding.Fix == nil {
				continue
			}
			for _, h := range hunks(of, found.finding.Fix) {
				if !slices.Contains(changed, h.File) {
					t.Errorf("an edit of %s is suggested for %s, and only %v are changed", h.File, found, changed)
				}
			}
		}
	}
}

// checkFix repairs a tree that was in this state. patched are the files that patches of it have made.
func checkFix(t *testing.T, before judge.State, f *Repairer, dir string, patched map[string]map[string][]byte) {
	t.Helper()
	was := readTree(t, dir)
	repairAll(t, f)
	is := readTree(t, dir)
	if len(was) != len(is) {
		t.Error("there are other files than before")
	}
	checkLaws(t, before, f)
	t.Chdir(dir)
	patch := mailOf(t, f)
	if patched[patch] == nil {
		patched[patch] = amOf(t, was, patch)
	}
	if !reflect.DeepEqual(patched[patch], is) {
		t.Errorf("the patch does not write what --fix writes:\n%s", patch)
	}
}

// mailOf returns the repairs as a patch, empty if there are none.
func mailOf(t *testing.T, f *Repairer) string {
	t.Helper()
	var mail strings.Builder
	formats := report.Formats()
	at := slices.IndexFunc(formats, func(f report.Format) bool { return f.Name == "patch" })
	if err := formats[at].Write(&mail, report.Report{Plan: f.Plan(true)}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return mail.String()
}

// amOf returns what git am makes of files, in a fresh repository.
func amOf(t *testing.T, files map[string][]byte, mail string) map[string][]byte {
	t.Helper()
	if mail == "" {
		return files
	}
	fresh := t.TempDir()
	for name, data := range files {
		put(t, fresh, name, string(data))
	}
	for _, args := range [][]string{{"init", "-q", "--template="}, {"add", "-A", "-f"}, {"commit", "-q", "-m", "was"}, {"am", "-q"}} {
		git := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "gc.auto=0"}, args...)...)
		git.Dir, git.Stdin = fresh, strings.NewReader(mail)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s\n%s", args[0], err, out, mail)
		}
	}
	if err := os.RemoveAll(filepath.Join(fresh, ".git")); err != nil {
		t.Fatal(err)
	}
	return readTree(t, fresh)
}

// promised lists the fields that the repairs write.
func (f *Repairer) promised() []release.Path {
	var out []release.Path
	for _, m := range f.made {
		for _, t := range m.targets {
			for _, e := range t.finding.Fix.Set {
				out = append(out, e.Path)
			}
		}
	}
	return out
}

// within reports whether a field is another or below it.
func below(path, at release.Path) bool {
	return len(path) <= len(at) && slices.Equal(path, at[:len(path)])
}

// readTree reads every file of a tree, by its path in it.
func readTree(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = data
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
