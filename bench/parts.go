package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

// The commands of the linter beside lint as a whole.
const (
	oneCluster = "flux-remedy lint --cluster"
	unsaved    = "flux-remedy lint --stdin-path"
	fixed      = "flux-remedy lint --fix=unsafe --diff"
	compared   = "flux-remedy diff"
)

var parts = []string{oneCluster, unsaved, fixed, compared}

// changed ends the name of a repository with a tree that differs from its last commit in one setting.
const changed = ".changed"

// sample is a part of a tree: a cluster, and a file with a release of it.
type sample struct{ Cluster, File string }

// partsOf returns the programs that ask for a part of a tree, of which there is a changed repository.
func partsOf(remedy, tree string) (map[string]program, error) {
	remedy, err := filepath.Abs(remedy)
	if err != nil {
		return nil, err
	}
	some, err := sampleOf(remedy, tree)
	if err != nil {
		return nil, err
	}
	file, err := filepath.Rel(tree, some.File)
	if err == nil {
		err = change(tree+changed, file)
	}
	command := func(args ...string) func(string) []string {
		return func(string) []string { return append([]string{remedy}, args...) }
	}
	return map[string]program{
		oneCluster: {oneCluster, command("lint", "--cluster", some.Cluster, tree), []int{0, 1}},
		unsaved: {unsaved, func(string) []string {
			return []string{"sh", "-c", `cd "$1" && exec "$2" lint --stdin-path "$3" - < "$3"`, "sh", tree, remedy, file}
		}, []int{0, 1, 3}},
		fixed:    {fixed, command("lint", "--fix=unsafe", "--diff", tree), []int{0, 1}},
		compared: {compared, command("diff", "--base", "HEAD", tree+changed), []int{0, 1, 3, 4}},
	}, err
}

// sampleOf returns the first release of a tree that a cluster applies.
func sampleOf(remedy, tree string) (sample, error) {
	text, err := exec.Command(remedy, "lint", "-o", "json", tree).Output()
	var found struct{ Releases []sample }
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		return sample{}, err
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return sample{}, err
	}
	for _, r := range found.Releases {
		if r.Cluster != "" {
			return r, nil
		}
	}
	return sample{}, fmt.Errorf("%s: no cluster applies a release", tree)
}

// interval matches the setting that is changed.
var interval = regexp.MustCompile(`(?m)^( +interval: *).*$`)

// change commits a tree and changes a file of it.
func change(dir, file string) error {
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A", "-f"}, {"-c", "user.name=bench", "-c", "user.email=bench@example.com", "commit", "-q", "--allow-empty", "-m", "tree"},
	} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
	}
	name, done := filepath.Join(dir, file), false
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return os.WriteFile(name, interval.ReplaceAllFunc(data, func(line []byte) []byte {
		if done {
			return line
		}
		done = true
		return append(interval.FindSubmatch(line)[1], "7m"...)
	}), 0o644)
}
