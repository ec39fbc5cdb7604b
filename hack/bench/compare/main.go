// Command compare measures the linter against "kustomize build" of what the
// clusters apply, on one tree in one run:
//
//	go -C hack run ./bench/compare LINTER KUSTOMIZE TREE FOLDER...
//
// The two read the same files; kustomize builds each FOLDER of TREE, as often
// as clusters apply it. Times are those of the best of three runs.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

const rounds = 3

// cost is the time and memory of a command.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // bytes at most
}

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: compare LINTER KUSTOMIZE TREE FOLDER...")
		os.Exit(2)
	}
	linter, kustomize, tree := os.Args[1], os.Args[2], os.Args[3]
	var lint, build cost
	for round := range rounds {
		build = better(round, build, all(kustomize, tree, os.Args[4:]))
		lint = better(round, lint, run(linter, "lint", "--fail-on", "off", tree))
	}
	print("kustomize build", build)
	print("flux-remedy lint", lint)
	fmt.Printf("flux-remedy lint takes %.2f times the CPU of kustomize build\n", float64(lint.cpu)/float64(build.cpu))
}

func print(name string, c cost) {
	fmt.Printf("%-18s %8s wall %8s CPU %5d MiB\n", name,
		c.wall.Round(time.Millisecond), c.cpu.Round(time.Millisecond), c.memory>>20)
}

// all returns the cost of building all folders.
func all(kustomize, tree string, folders []string) cost {
	var sum cost
	for _, folder := range folders {
		c := run(kustomize, "build", filepath.Join(tree, folder))
		sum.wall, sum.cpu, sum.memory = sum.wall+c.wall, sum.cpu+c.cpu, max(sum.memory, c.memory)
	}
	return sum
}

func better(round int, best, c cost) cost {
	if round == 0 || c.cpu < best.cpu {
		return c
	}
	return best
}

func run(name string, args ...string) cost {
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		fmt.Fprintf(os.Stderr, "%v: %v\n", cmd.Args, err)
		os.Exit(1)
	}
	state := cmd.ProcessState
	c := cost{wall: time.Since(start), cpu: state.UserTime() + state.SystemTime()}
	if usage, ok := state.SysUsage().(*syscall.Rusage); ok {
		c.memory = usage.Maxrss << 10 // KiB on Linux
	}
	return c
}
