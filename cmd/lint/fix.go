package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

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
		usage.Exclude(cmd, "fix", known)
		usage.Exclude(cmd, "diff", known)
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

// repair is the fix step of a run of lint. It returns what is left to report.
func (l *lint) repair(ctx context.Context, std streams, engine *rules.Engine, found loaded, paths []string, now judge.State) (loaded, judge.State, error) {
	if !l.wanted() {
		return found, now, nil
	}
	if err := l.validate(paths); err != nil {
		return found, now, err
	}
	// Where only some clusters or a folder were asked for, the others are read as well:
	// they may object to changes of what they share.
	look := func(changes map[string][]byte) (judge.State, error) {
		return l.look(ctx, engine, found, found.opts.Whole().With(changes))
	}
	r, err := l.repairer(now, engine, found.opts.IsWhole(), paths, look)
	if err != nil {
		return found, now, err
	}
	busy := std.begin("trying repairs")
	err = r.Run()
	busy.Stop()
	if err != nil {
		return found, now, err
	}
	if l.diff {
		patch, withheld := r.Diff()
		for _, name := range withheld {
			std.note("%s: a change is not shown, as its line may hold a secret: --fix makes it", name)
		}
		_, err := std.out.Write(patch)
		return found, now, errors.Join(err, r.Summary(std.err, "would be fixed"))
	}
	release := std.watch.Guard(r.Undo)
	left, err := r.Write(func() (judge.State, error) {
		again, _, err := l.options(ctx, onDisk(std), paths)
		if err != nil {
			return judge.State{}, err
		}
		found.opts.Inputs, found.opts.Sources = again.Inputs, again.Sources
		return look(nil)
	})
	release()
	if err != nil {
		return found, now, err
	}
	if err := r.Summary(std.err, "fixed"); err != nil || found.opts.IsWhole() {
		return found, left, err
	}
	left, err = l.look(ctx, engine, found, found.opts)
	return found, left, err
}

// repairer returns a repairer of a tree that has been read.
func (l *lint) repairer(now judge.State, engine *rules.Engine, whole bool, paths []string, look repair.Look) (*repair.Repairer, error) {
	opts := repair.Options{Unsafe: slices.Contains(l.fix, "unsafe"), Central: slices.Contains(l.fix, "central"), Clusters: l.clusters, Rule: engine.Rule}
	if !whole {
		opts.Asked = now.Releases
		var err error
		if now, err = look(nil); err != nil {
			return nil, err
		}
	}
	return repair.New(now, paths, opts, look)
}

// look judges what options name.
func (l *lint) look(ctx context.Context, engine *rules.Engine, found loaded, opts flux.Options) (judge.State, error) {
	opts.Progress = nil
	tree, err := flux.Load(ctx, opts)
	if err != nil {
		return judge.State{}, err
	}
	return judge.Evaluate(ctx, engine, found.config.Config, tree, time.Now())
}
