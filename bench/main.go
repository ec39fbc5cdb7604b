// Command bench measures the linter beside programs of others on the same trees, in
// turn, and writes a Markdown table:
//
//	bench [flags] [TREE...]
//
// Run it with "make bench": README.md says what is compared.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// options are the flags.
type options struct {
	bin, policy, output string
	rounds              int
	seed                uint64
	only                *regexp.Regexp
	trees               []string // of a user
}

func main() {
	if err := start(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func start(args []string) error {
	if len(args) > 1 && args[0] == launch {
		return launched(args[1:])
	}
	o, err := parse(args)
	if err != nil {
		return err
	}
	return run(o, os.Stdout, os.Stderr)
}

func parse(args []string) (*options, error) {
	o := &options{}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.StringVar(&o.bin, "bin", "../bin/bench", "folder of the programs, which make bench builds")
	flags.StringVar(&o.policy, "policy", "policy", "folder of the policy for conftest")
	flags.StringVar(&o.output, "o", "", "file that the table is written to, too")
	flags.IntVar(&o.rounds, "rounds", 5, "how often each program is run on each tree")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the trees")
	only := flags.String("only", "", "regular expression of the generated trees to measure")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	if o.rounds < 1 {
		return nil, fmt.Errorf("-rounds %d: want 1 or more", o.rounds)
	}
	o.trees = flags.Args()
	var err error
	o.only, err = regexp.Compile(*only)
	return o, err
}

// run measures all works and writes the table.
func run(o *options, stdout, progress io.Writer) error {
	list := slices.DeleteFunc(works(o.seed), func(w work) bool { return !o.only.MatchString(w.name) })
	for _, tree := range o.trees {
		list = append(list, given(tree))
	}
	var table bytes.Buffer
	fmt.Fprintf(&table, "%s Medians of %d rounds; the highest peak.\n\n", machine(time.Now()), o.rounds)
	var results []result
	for _, w := range list {
		fmt.Fprintln(progress, w.name)
		r, err := measure(o, w)
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	write(&table, results)
	if _, err := stdout.Write(table.Bytes()); err != nil || o.output == "" {
		return err
	}
	return os.WriteFile(o.output, table.Bytes(), 0o644)
}

// measure makes the tree of a work and runs the programs on it.
func measure(o *options, w work) (result, error) {
	r := result{work: w, programs: append([]string{linter}, w.against...)}
	all := programs(o.bin, o.policy)
	scratch, err := os.MkdirTemp("", "remedy-bench") // a tree in a repository is a part of it
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(scratch)
	dir, err := w.prepare(scratch)
	if err != nil {
		return r, err
	}
	if w.parts {
		own, err := partsOf(filepath.Join(o.bin, "flux-remedy"), dir)
		if err != nil {
			return r, err
		}
		maps.Copy(all, own)
		r.programs = append(r.programs, parts...)
	}
	var list []program
	for _, name := range r.programs {
		list = append(list, all[name])
	}
	costs, err := rounds(list, dir, o.rounds)
	for _, of := range costs {
		r.costs = append(r.costs, summary(of))
	}
	return r, err
}

// prepare makes the tree of a work in a folder, and its copies, and returns where it is.
func (w work) prepare(scratch string) (string, error) {
	dir := filepath.Join(scratch, "tree")
	write := func(to string) error { return os.CopyFS(to, os.DirFS(w.dir)) }
	if w.make != nil {
		write = w.make().Write
	}
	return dir, errors.Join(write(dir), write(dir+copied), write(dir+changed))
}
