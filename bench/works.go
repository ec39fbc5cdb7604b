package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"

	"github.com/flux-remedy/remedy/bench/trees"
)

// work is a tree and the programs that are measured on it.
type work struct {
	name string
	make func() trees.Tree // nil for a tree that is there already
	dir  string
	// against names the programs beside the linter.
	against []string
	parts   bool // what the linter takes for a part of it is measured, too
	target
}

// target is what is wanted of the linter; what is zero has none.
type target struct {
	of    string  // the program that ratio is of
	ratio float64 // of its CPU time
	cpu   time.Duration
	wall  time.Duration
	peak  int64 // bytes
}

const mebi = 1 << 20

// works are the trees that are made from a seed.
func works(seed uint64) []work {
	both := []string{conftest, kubeconform}
	plain := func(releases, perFile, lines int) func() trees.Tree {
		return func() trees.Tree { return trees.Plain(seed, releases, perFile, lines) }
	}
	apart := func(releases int) func() trees.Tree {
		return func() trees.Tree { return trees.Apart(seed, releases, 90) }
	}
	return []work{
		{name: "1 release in 1 file", make: plain(1, 1, 90), against: both, target: target{wall: 15 * time.Millisecond, peak: 25 * mebi}},
		{name: "1,000 releases in 1,000 files", make: plain(1000, 1, 90), against: both, target: target{of: conftest, ratio: 0.35, peak: 64 * mebi}},
		{name: "10,000 releases in 10,000 files", make: plain(10_000, 1, 90), against: both, target: target{of: conftest, ratio: 0.35, peak: 128 * mebi}},
		{name: "1,000 releases in 50 files", make: plain(1000, 20, 90), against: both, target: target{of: conftest, ratio: 0.1}},
		{name: "8,748 releases in 1 file", make: plain(8748, 8748, 9), against: []string{kubeconform}, target: target{cpu: 2 * time.Second}},
		{name: "1,000 releases, each set differently", make: apart(1000), against: both, target: target{of: conftest, ratio: 1, peak: 100 * mebi}},
		{name: "4,000 releases, each set differently", make: apart(4000), against: both, target: target{of: conftest, ratio: 1, peak: 200 * mebi}},
		{
			name: "fleet: 16 clusters, 336 Kustomizations, 800 releases", make: func() trees.Tree { return trees.Fleet(seed, 16) },
			against: []string{library}, parts: true, target: target{of: library, ratio: 0.15, peak: 300 * mebi},
		},
	}
}

// given returns the work on a tree of a user.
func given(dir string) work {
	return work{name: filepath.Base(dir), dir: dir, against: []string{library}, parts: true}
}

// The programs of others.
const (
	conftest    = "conftest"
	kubeconform = "kubeconform"
	library     = "Flux's library"
)

// programs returns what is measured, with the linter first, from the folder of what was
// built and the folder of the policy.
func programs(bin, policy string) map[string]program {
	own := func(name string) string { return filepath.Join(bin, name) }
	return map[string]program{
		linter: {linter, func(tree string) []string { return []string{own("flux-remedy"), "lint", "--timeout", "1h", tree} }, []int{0, 1}},
		conftest: {conftest, func(tree string) []string {
			return []string{own("conftest"), "test", "--no-color", "--policy", policy, tree}
		}, []int{0, 1}},
		kubeconform: {kubeconform, func(tree string) []string {
			return []string{own("kubeconform"), "-schema-location", filepath.Join(bin, "schema", "{{.ResourceKind}}.json"), "-summary", tree}
		}, []int{0}},
		library: {library, func(tree string) []string { return []string{own("library"), tree + copied} }, []int{0}},
	}
}

const linter = "flux-remedy lint"

// copied ends the name of a copy of a tree: Flux's library writes to it.
const copied = ".copy"

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
