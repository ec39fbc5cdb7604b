package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fix"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

// maxRounds bounds the repairs that only other repairs make possible, and the
// attempts at one in several places.
const maxRounds = 64

// fixKinds are the kinds of repairs that can be asked for.
var fixKinds = []string{"safe", "unsafe", "central"}

// fixFlags say what lint repairs.
type fixFlags struct {
	fix  []string
	diff bool
}

func (f *fixFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.fix, "fix", nil, "repair what is found. `KIND` is "+
		"safe: what nobody can want as it is; "+
		"unsafe: what somebody may have wanted, too; "+
		"central: by one patch for many releases where nothing decides yet, in their Flux Kustomization or kustomization.yaml. "+
		"Several with commas; without KIND it is safe")
	flags.Lookup("fix").NoOptDefVal = fixKinds[0]
	complete(cmd, "fix", fixKinds)
	flags.BoolVar(&f.diff, "diff", false, "show what --fix would change and write nothing")
	for _, known := range []string{"new-from", "baseline", "write-baseline"} {
		cmd.MarkFlagsMutuallyExclusive("fix", known)
		cmd.MarkFlagsMutuallyExclusive("diff", known)
	}
}

func (f *fixFlags) wanted() bool { return len(f.fix) > 0 || f.diff }

func (f *fixFlags) validate(paths []string) error {
	for _, kind := range f.fix {
		if !slices.Contains(fixKinds, kind) {
			return fmt.Errorf("--fix=%s: want safe, unsafe or central", kind)
		}
	}
	if f.wanted() && slices.Contains(paths, "-") {
		return errors.New("--fix: standard input cannot be changed: name files or folders")
	}
	return nil
}

// fixer repairs a tree in memory.
type fixer struct {
	planner
	state
	files *fix.Files
	made  []made
	// look reads the tree with other content of some files.
	look func(overlay map[string][]byte) (state, error)
}

// newFixer makes a fixer of a tree that has been read.
func (f *fixFlags) newFixer(now state, paths []string, look func(map[string][]byte) (state, error)) (*fixer, error) {
	files, err := fix.Open(paths)
	if err != nil {
		return nil, err
	}
	return &fixer{
		planner: planner{
			unsafe: slices.Contains(f.fix, "unsafe"), central: slices.Contains(f.fix, "central"), tried: map[string]bool{},
		},
		state: now, files: files, look: look,
	}, nil
}

// run makes every repair that nothing is said against.
func (f *fixer) run() error {
	for range maxRounds {
		plan := f.plan(f.all, f.files)
		if len(plan) == 0 {
			return nil
		}
		if err := f.apply(plan); err != nil {
			return err
		}
	}
	return nil
}

// apply makes repairs; if something is said against them, one half after the
// other, so that in the end the one is found that it is said against.
func (f *fixer) apply(plan []repair) error {
	if len(plan) == 0 {
		return nil
	}
	var edits []flux.Edit
	for _, r := range plan {
		edits = append(edits, r.edits...)
	}
	files, err := f.files.With(edits)
	why := ""
	var next state
	if err != nil {
		why = err.Error()
	} else if next, err = f.look(files.Overlay()); err != nil {
		return err
	} else {
		why = objection(f.state, next, plan)
	}
	switch {
	case why == "":
		for _, r := range plan {
			m := made{repair: r}
			if r.central != nil {
				m.others = r.others(f.state, next)
			}
			f.made = append(f.made, m)
		}
		f.files, f.state = files, next
		return nil
	case len(plan) == 1 && plan[0].central != nil:
		f.tried[plan[0].central.key] = true
		return nil
	case len(plan) == 1:
		f.refuse(why, plan[0].targets...)
		return nil
	}
	half := len(plan) / 2
	if err := f.apply(plan[:half]); err != nil {
		return err
	}
	return f.apply(f.again(plan[half:]))
}

// again plans repairs anew after others have been made.
func (f *fixer) again(plan []repair) []repair {
	return slices.DeleteFunc(f.plan(f.all, f.files), func(r repair) bool {
		return !slices.ContainsFunc(plan, func(o repair) bool { return o.targets[0].is(r.targets[0]) })
	})
}

// write puts the repairs in their place and reads the tree again: what has been
// repaired must be gone there too.
func (f *fixer) write() error {
	if err := f.files.Write(); err != nil {
		return err
	}
	now, err := f.look(nil)
	if err == nil {
		err = f.gone(now)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("the repairs are taken back: %w", err), f.files.Restore())
	}
	f.state = now
	return nil
}

func (f *fixer) gone(now state) error {
	for _, j := range now.all {
		for _, t := range targetsOf(j) {
			if slices.ContainsFunc(f.made, func(m made) bool { return slices.ContainsFunc(m.targets, t.is) }) {
				return fmt.Errorf("%s is found after them too", t)
			}
		}
	}
	return nil
}

// repair is the fix step of a run of lint; it gives what is left to report.
func (l *lint) repair(ctx context.Context, std streams, engine *rules.Engine, config *rules.Config, paths []string, now state) (*flux.Tree, []judged, error) {
	if !l.wanted() {
		return now.tree, now.all, nil
	}
	if err := l.validate(paths); err != nil {
		return nil, nil, err
	}
	f, err := l.fixer(ctx, engine, config, paths, now)
	if err != nil {
		return nil, nil, err
	}
	busy := startProgress(std.err, "trying repairs")
	err = f.run()
	busy.stop()
	if err != nil {
		return nil, nil, err
	}
	if l.diff {
		_, err := std.out.Write(f.files.Diff())
		return now.tree, now.all, errors.Join(err, f.summary(std.err, "would be fixed"))
	}
	if err := f.write(); err != nil {
		return nil, nil, err
	}
	if err := f.summary(std.err, "fixed"); err != nil || len(l.clusters) == 0 {
		return f.tree, f.all, err
	}
	left, err := l.look(ctx, engine, config, paths, l.clusters, nil)
	return left.tree, left.all, err
}

// fixer makes a fixer of a tree that has been read. Where only some clusters
// were asked for the others are read too: they have a say in what they share.
func (l *lint) fixer(ctx context.Context, engine *rules.Engine, config *rules.Config, paths []string, now state) (*fixer, error) {
	look := func(overlay map[string][]byte) (state, error) {
		return l.look(ctx, engine, config, paths, nil, overlay)
	}
	if len(l.clusters) > 0 {
		var err error
		if now, err = look(nil); err != nil {
			return nil, err
		}
	}
	f, err := l.newFixer(now, paths, look)
	if err != nil {
		return nil, err
	}
	f.clusters = l.clusters
	return f, nil
}

// look reads and judges the tree with other content of some files.
func (l *lint) look(ctx context.Context, engine *rules.Engine, config *rules.Config, paths, clusters []string, overlay map[string][]byte) (state, error) {
	opts := l.options(paths, config, overlay)
	opts.Clusters = clusters
	tree, err := flux.Load(ctx, opts)
	if err != nil {
		return state{}, err
	}
	all, err := judge(ctx, engine, config, tree, time.Now())
	return state{tree, all}, err
}
