package effective

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

var mutants = flag.Uint("mutants", 200, "test one in so many mutants of the fleets; 1 tests all")

// mutant is a fleet with one line changed.
type mutant struct {
	file, what string
	data       []byte
}

var (
	keyLine   = regexp.MustCompile(`^(\s*(?:- )?)([\w./-]+)(:( .*)?)$`)
	valueLine = regexp.MustCompile(`^(\s*(?:- )?(?:[\w./-]+: )?)([^\s#|>&{\[].*)$`)
)

// mutantsOf returns one in so many mutants of a tree: each without a line, with
// another key in it or with another value.
func mutantsOf(t *testing.T, dir string, in uint) []mutant {
	t.Helper()
	var out []mutant
	for _, rel := range manifestsIn(t, dir) {
		data, err := os.ReadFile(filepath.Join(dir, rel))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(data), "\n")
		for i, line := range lines {
			text := strings.TrimSuffix(line, "\n")
			for what, with := range map[string]string{
				"without": "",
				"key":     keyLine.ReplaceAllString(text, "${1}${2}x${3}") + "\n",
				"value":   valueLine.ReplaceAllString(text, "${1}${2}9") + "\n",
			} {
				id := fmt.Sprintf("%s:%d %s %s", rel, i+1, what, strings.TrimSpace(text))
				if with != line && strings.TrimSpace(text) != "" && drawn(filepath.Base(dir)+id, in) {
					changed := slices.Concat(lines[:i], []string{with}, lines[i+1:])
					out = append(out, mutant{rel, id, []byte(strings.Join(changed, ""))})
				}
			}
		}
	}
	return out
}

func drawn(id string, in uint) bool {
	h := fnv.New32a()
	h.Write([]byte(id))
	return h.Sum32()%uint32(max(in, 1)) == 0
}

func manifestsIn(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && build.IsManifest(name) {
			rel, _ := filepath.Rel(dir, name)
			out = append(out, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// in returns a copy of a fleet with the mutant's file instead of its own.
func (m mutant) in(t *testing.T, dir string) string {
	t.Helper()
	tmp := t.TempDir()
	if err := os.CopyFS(tmp, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tmp, m.file), m.data, 0o644); err != nil {
		t.Fatal(err)
	}
	return tmp
}

// unknownsOf lists what is undetermined or cannot be read, with paths relative to the
// tree.
func unknownsOf(tree *Tree, dir string) []string {
	var out []string
	for _, u := range tree.Undetermined {
		out = append(out, fmt.Sprintf("%s %s %s %s", strings.TrimPrefix(u.File, dir), u.Cluster, u.Release, u.Reason))
	}
	for _, p := range tree.Problems {
		out = append(out, fmt.Sprintf("%s %v", strings.TrimPrefix(p.File, dir), p.Err))
	}
	return out
}

// judgedOf returns the parts of releases, given as JSON, that are judged: apiVersion,
// name and spec, sorted and each once.
func judgedOf(t *testing.T, releases []string) []string {
	t.Helper()
	var out []string
	for _, text := range releases {
		var obj map[string]any
		if err := json.Unmarshal([]byte(text), &obj); err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprint(obj["apiVersion"], object.FullName(obj), obj["spec"]))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// objectsOf returns the releases of a cluster as JSON, sorted and each once.
func objectsOf(tree *Tree, cluster string) []string {
	var out []string
	for _, r := range tree.Releases {
		if r.Cluster == cluster {
			data, _ := json.Marshal(r.Object)
			out = append(out, string(data))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sameEntries reports whether a mutant has entries of the same names as its fleet, and
// the API server would accept them.
func sameEntries(t *testing.T, entry, dir, tmp string) bool {
	t.Helper()
	for _, file := range strings.Fields(entry) {
		if filepath.Ext(file) == "" {
			continue // a folder: upstreamOf reports if it does not build
		}
		own, changed := entryObjects(t, dir, dir, file), entryObjects(t, tmp, tmp, file)
		if !slices.EqualFunc(own, changed, func(a, b map[string]any) bool {
			return object.FullName(a) == object.FullName(b) && a["apiVersion"] == b["apiVersion"] && accepted(b) == nil
		}) {
			return false
		}
	}
	return true
}

// For any changed line of a fleet, the releases equal those of Flux's library, or
// something more is reported as unknown.
func TestMutants(t *testing.T) {
	n := 0
	for _, c := range equalFleets {
		dir := filepath.Join(fleets, c.fleet)
		drawn := mutantsOf(t, dir, *mutants)
		if len(drawn) == 0 {
			continue
		}
		known := unknownsOf(load(t, dir, Options{}), dir)
		_, broken := upstreamOf(t, dir, c.root, strings.Fields(c.entry))
		for _, m := range drawn {
			tmp := m.in(t, dir)
			if !sameEntries(t, c.entry, dir, tmp) {
				continue // it is not known what Flux would be bootstrapped with
			}
			tree := load(t, tmp, Options{})
			said := slices.DeleteFunc(unknownsOf(tree, tmp), func(s string) bool { return slices.Contains(known, s) })
			want, failed := upstreamOf(t, tmp, c.root, strings.Fields(c.entry))
			if slices.ContainsFunc(failed, func(s string) bool { return strings.HasPrefix(s, "there is no entry") }) {
				continue
			}
			n++
			got, want := judgedOf(t, objectsOf(tree, c.name)), judgedOf(t, want)
			if len(said) == 0 && (!slices.Equal(got, want) || len(failed) > len(broken)) {
				t.Errorf("%s/%s: %s\ngot\n%s\nwant\n%s\nfailed %q", c.fleet, c.name, m.what,
					strings.Join(got, "\n"), strings.Join(want, "\n"), failed)
			}
		}
	}
	t.Logf("%d mutants", n)
}
