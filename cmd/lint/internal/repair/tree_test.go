package repair

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestFixOfTrees repairs a copy of every example tree in every way: what is said
// to be fixed is gone, no release has other values than were promised, every file
// can still be read and, unless unsafe repairs are wanted, has the comments that
// it had, and a second run changes nothing.
func TestFixOfTrees(t *testing.T) {
	engine := newEngine(t)
	trees, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	changed := map[bool]int{} // by whether one patch did it for many
	left := map[string]judge.State{}
	for _, tree := range append(trees, "../../../../testdata/demo") {
		dir := filepath.Join(t.TempDir(), filepath.Base(tree))
		if err := os.CopyFS(dir, os.DirFS(tree)); err != nil {
			t.Fatal(err)
		}
		known := map[rules.Class]*judge.State{}
		for _, way := range fixWays {
			t.Run(fmt.Sprint(filepath.Base(tree), way), func(t *testing.T) {
				config := &rules.Config{}
				config.Spec.Fix.Prefer = way.prefer
				config.Spec.Controller.Version = release.DefaultControllerVersion // known, so that all is repaired
				f := repairerOf(t, engine, config, dir, way.kinds, known[way.prefer], func(*effective.Release) {})
				before := f.state
				known[way.prefer] = &before
				checkFix(t, before, f, dir)
				plain := fmt.Sprint(dir, way.prefer)
				if way.kinds[0] == "unsafe" {
					left[plain] = f.state
				} else if way.kinds[0] == "central" && compareFindings(f.state, left[plain]) > 0 {
					t.Errorf("--fix=central,unsafe leaves %v, --fix=unsafe only %v", countFindings(f.state), countFindings(left[plain]))
				}
				for _, m := range f.made {
					changed[m.central != nil]++
				}
				checkAgain(t, f, dir)
				if err := f.files.Restore(); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
	if changed[false] < 10 || changed[true] < 4 {
		t.Errorf("repairs by one patch for many releases: %d, others: %d", changed[true], changed[false])
	}
}

// checkFix repairs a tree that was in this state.
func checkFix(t *testing.T, before judge.State, f *Repairer, dir string) {
	t.Helper()
	was := readTree(t, dir)
	repairAll(t, f)
	is := readTree(t, dir)
	for name := range was {
		if !bytes.Equal(was[name], is[name]) {
			checkEdited(t, name, was[name], is[name], f.planner.Unsafe)
		}
	}
	if len(was) != len(is) {
		t.Error("there are other files than before")
	}
	checkLaws(t, before, f, was, is)
	checkPatch(t, f, dir, was, is)
}

// checkPatch checks that git makes of the patch what --fix has written.
func checkPatch(t *testing.T, f *Repairer, dir string, was, is map[string][]byte) {
	t.Helper()
	t.Chdir(dir)
	patch := f.Diff()
	if len(patch) == 0 {
		return
	}
	fresh := t.TempDir()
	for name, data := range was {
		put(t, fresh, name, string(data))
	}
	git := exec.Command("git", "apply", "-")
	git.Dir, git.Stdin = fresh, bytes.NewReader(patch)
	if out, err := git.CombinedOutput(); err != nil {
		t.Errorf("git apply: %v: %s\n%s", err, out, patch)
	}
	if got := readTree(t, fresh); !reflect.DeepEqual(got, is) {
		t.Errorf("the patch does not write what --fix writes:\n%s", patch)
	}
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

func checkEdited(t *testing.T, name string, was, is []byte, unsafe bool) {
	t.Helper()
	file, err := yamledit.Parse(name, is)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			t.Errorf("%s cannot be read: %v", name, doc.Err)
		}
	}
	for line := range strings.Lines(string(was)) {
		if _, comment, ok := strings.Cut(line, "#"); ok && !unsafe && !strings.Contains(string(is), comment) {
			t.Errorf("%s has lost the comment %q", name, comment)
		}
	}
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
