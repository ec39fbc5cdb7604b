// Command since writes internal/crd/since.txt: which minor version of Flux brought each apiVersion, field and value
// of the APIs of its controllers, and which one took an apiVersion away. It reads the definitions in the histories of
// their Git repositories, of which the folder that is named has clones, and runs in the folder hack:
//
//	make flux-since CLONES=~/fluxcd
package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/internal/crd"
)

const (
	table       = "../internal/crd/since.txt"
	newest      = "../testdata/crds/others"
	newestMinor = 10 // the minor version of Flux of which testdata/crds/others has the definitions
	folders     = "config/crd/bases/"
)

// repository is that of a controller.
type repository struct {
	name  string
	major int
	minor int // of the controller in Flux 2.0; below zero if a later Flux brought it
}

var repositories = []repository{{"kustomize-controller", 1, 0}, {"source-controller", 1, 0}, {"notification-controller", 1, 0}, {"source-watcher", 2, -7}}

func main() {
	if err := write(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "since:", err)
		os.Exit(1)
	}
}

// write writes the table from the clones in a folder.
func write(clones string) error {
	newest, err := newestDefined(newest)
	if err != nil {
		return err
	}
	var out []string
	for _, r := range repositories {
		lines, err := r.changes(filepath.Join(clones, r.name), newest)
		if err != nil {
			return err
		}
		out = append(out, lines...)
	}
	slices.Sort(out)
	return os.WriteFile(table, []byte(digest(newest)+strings.Join(out, "")), 0o644)
}

// digest returns the first line of the table: a hash of the newest fields and values, which the table has been made with.
func digest(newest map[string]crd.Schema) string {
	hash := sha256.New()
	for _, kind := range slices.Sorted(maps.Keys(newest)) {
		fields := newest[kind].Fields()
		for _, name := range slices.Sorted(maps.Keys(fields)) {
			fmt.Fprintln(hash, kind, name, fields[name].Enum)
		}
	}
	return fmt.Sprintf("# of the newest fields %.8x\n", hash.Sum(nil))
}

// newestDefined returns the newest schemas of the kinds of Flux's own controllers.
func newestDefined(folder string) (map[string]crd.Schema, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.toolkit.fluxcd.io_*.yaml"))
	if err == nil {
		files = append(files, filepath.Join(folder, "source.extensions.fluxcd.io_artifactgenerators.yaml"))
	}
	out := map[string]crd.Schema{}
	for _, file := range files {
		text, failed := os.ReadFile(file)
		definition, unread := crd.Read(text)
		err = errors.Join(err, failed, unread)
		maps.Copy(out, definition.Known())
	}
	return out, err
}

// changes returns the lines of the table of a repository with a clone in a folder.
func (r repository) changes(clone string, newest map[string]crd.Schema) (lines []string, err error) {
	before, err := r.beforeFlux2(clone)
	if err != nil {
		return nil, err
	}
	for minor := max(0, -r.minor); minor <= newestMinor; minor++ {
		now := ofGroups(newest, before)
		if minor < newestMinor {
			now, err = lastOf(clone, fmt.Sprintf("v%d.%d.", r.major, r.minor+minor))
		}
		if err != nil {
			return nil, err
		}
		for kind, schema := range now {
			for _, name := range added(before[kind], schema) {
				lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s 2.%d %s", kind, minor, name))+"\n")
			}
		}
		for kind := range before {
			if _, stays := now[kind]; !stays {
				lines = append(lines, fmt.Sprintf("%s 2.%d removed\n", kind, minor))
			}
		}
		before = now
	}
	return lines, nil
}

// beforeFlux2 returns the schemas of the last version before Flux 2.0, if the repository has one.
func (r repository) beforeFlux2(clone string) (map[string]crd.Schema, error) {
	if r.minor < 0 {
		return nil, nil
	}
	return lastOf(clone, "v0.")
}

// lastOf returns the schemas of the last version that begins so.
func lastOf(clone, beginning string) (map[string]crd.Schema, error) {
	versions, err := git(clone, "tag", "--list", beginning+"*", "--sort=-version:refname")
	for version := range strings.Lines(string(versions)) {
		if version = strings.TrimSpace(version); semver.Prerelease(version) == "" {
			return defined(clone, version)
		}
	}
	return nil, cmp.Or(err, errors.New(clone+" has no version "+beginning))
}

func ofGroups(all, others map[string]crd.Schema) map[string]crd.Schema {
	out := map[string]crd.Schema{}
	for kind, schema := range all {
		group, _, _ := strings.Cut(kind, "/")
		for other := range others {
			if strings.HasPrefix(other, group+"/") {
				out[kind] = schema
			}
		}
	}
	return out
}

func defined(clone, version string) (map[string]crd.Schema, error) {
	files, err := git(clone, "ls-tree", "--name-only", version, folders)
	out := map[string]crd.Schema{}
	for name := range strings.FieldsSeq(string(files)) {
		if strings.HasSuffix(name, "_receivers.yaml") { // they decide nothing here
			continue
		}
		text, failed := git(clone, "show", version+":"+name)
		definition, unread := crd.Read(text)
		err = errors.Join(err, failed, unread)
		maps.Copy(out, definition.Known())
	}
	return out, err
}

func git(clone string, args ...string) ([]byte, error) {
	var said bytes.Buffer
	cmd := exec.Command("git", append([]string{"-C", clone}, args...)...)
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		err = errors.New(said.String())
	}
	return out, err
}

// added returns the names of what only the second schema has, without what is below a name of it.
func added(was, is crd.Schema) (out []string) {
	if len(was.Properties) == 0 {
		return []string{""} // the kind itself is new
	}
	old, now := was.Fields(), is.Fields()
	for _, name := range slices.Sorted(maps.Keys(now)) {
		field, known := old[name]
		above := name[:max(strings.LastIndex(name, "."), 0)]
		_, aboveKnown := old[above]
		switch {
		case !known && aboveKnown:
			out = append(out, name)
		case known && field.Enum != nil:
			for _, value := range now[name].Enum {
				if !slices.Contains(field.Enum, value) {
					out = append(out, name+": "+value)
				}
			}
		}
	}
	return out
}
