package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fix"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
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
	before []judged // as they were read
	files  *fix.Files
	made   []made
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
			unsafe: slices.Contains(f.fix, "unsafe"), central: slices.Contains(f.fix, "central"), tried: map[string]bool{}, unhelped: map[string][]identity{},
		},
		state: now, before: now.all, files: files, look: look,
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

// apply makes repairs; if something is said against them, those that it is said
// of after the others and then one half after the other, so that in the end the
// one is found that is not to be made.
func (f *fixer) apply(plan []repair) error {
	if len(plan) == 0 {
		return nil
	}
	var edits []flux.Edit
	for _, r := range plan {
		edits = append(edits, r.edits...)
	}
	var against []dissent
	var next state
	files, err := f.files.With(edits)
	if err != nil {
		against = []dissent{{why: err.Error()}}
	} else if next, err = f.look(files.Overlay()); err != nil {
		return err
	} else {
		against = dissents(f.state, next, plan)
	}
	switch {
	case len(against) == 0:
		f.accept(plan, files, next)
		return nil
	case len(plan) == 1:
		f.drop(plan[0], against)
		return nil
	}
	last, first := suspects(plan, f.all, against)
	if len(first) == 0 || len(last) == 0 {
		half := len(plan) / 2
		first, last = plan[:half], plan[half:]
	}
	if err := f.apply(first); err != nil {
		return err
	}
	return f.apply(f.again(last))
}

// accept takes over what has come of repairs.
func (f *fixer) accept(plan []repair, files *fix.Files, next state) {
	for _, r := range plan {
		m := made{repair: r}
		if r.central != nil {
			m.others = r.others(f.state, next)
		}
		f.made = append(f.made, m)
	}
	f.files, f.state = files, next
}

// drop gives a repair up. One by one patch is tried otherwise: without the
// releases that it does not help, in another place, or in each file.
func (f *fixer) drop(r repair, against []dissent) {
	if r.central == nil {
		f.refuse(against[0].why, r.targets...)
		return
	}
	f.tried[r.central.key] = true
	for _, t := range r.targets {
		if slices.ContainsFunc(against, func(d dissent) bool { return d.by == t.release }) {
			f.unhelped[r.central.place()] = append(f.unhelped[r.central.place()], t.release)
		}
	}
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
