// Command since writes internal/crd/since.txt: which minor version of Flux brought each field and value
// of the APIs of kustomize-controller and source-controller. It reads the definitions in the histories of their
// Git repositories, whose minor versions are those of Flux without the major one, and runs in the folder hack:
//
//	go -C hack run ./flux/since ~/kustomize-controller ~/source-controller
package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/internal/crd"
)

const (
	table   = "../internal/crd/since.txt"
	newest  = 10 // of which testdata/crds/others has the definitions
	oldest  = 0  // what it has is not in the table
	folders = "config/crd/bases/"
)

func main() {
	var out []string
	for _, repository := range os.Args[1:] {
		lines, err := since(repository)
		if err != nil {
			fmt.Fprintln(os.Stderr, "since:", err)
			os.Exit(1)
		}
		out = append(out, lines...)
	}
	slices.Sort(out)
	if err := os.WriteFile(table, []byte(strings.Join(out, "")), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, "since:", err)
		os.Exit(1)
	}
}

// since returns the lines of the table of one repository.
func since(repository string) (lines []string, err error) {
	var before map[string]crd.Schema
	for minor := oldest; minor <= newest; minor++ {
		var now map[string]crd.Schema
		if minor == newest {
			now = newestKnown(before)
		} else if now, err = defined(repository, fmt.Sprintf("v1.%d.0", minor)); err != nil {
			return nil, err
		}
		for kind, schema := range now {
			for _, name := range added(before[kind], schema) {
				if minor > oldest {
					lines = append(lines, fmt.Sprintf("%s 2.%d %s\n", kind, minor, name))
				}
			}
		}
		before = now
	}
	return lines, nil
}

// newestKnown returns the newest schemas of the kinds of a repository.
func newestKnown(before map[string]crd.Schema) map[string]crd.Schema {
	out := map[string]crd.Schema{}
	for kind := range before {
		apiVersion, name := kind[:strings.LastIndex(kind, "/")], kind[strings.LastIndex(kind, "/")+1:]
		if schema, ok := crd.Known(apiVersion, name); ok {
			out[kind] = schema
		}
	}
	return out
}

// defined returns the schemas that a version of a repository defines.
func defined(repository, version string) (map[string]crd.Schema, error) {
	files, err := git(repository, "ls-tree", "--name-only", version, folders)
	out := map[string]crd.Schema{}
	for name := range strings.FieldsSeq(string(files)) {
		text, failed := git(repository, "show", version+":"+name)
		definition, unread := crd.Read(text)
		err = errors.Join(err, failed, unread)
		maps.Copy(out, definition.Known())
	}
	return out, err
}

func git(repository string, args ...string) ([]byte, error) {
	var said bytes.Buffer
	cmd := exec.Command("git", append([]string{"-C", repository}, args...)...)
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
		return nil // the kind itself is new
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
