package main

import (
	"path/filepath"
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
