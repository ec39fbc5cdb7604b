package main

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// fixFlags say what lint repairs.
type fixFlags struct {
	repair.Asked
	plan *report.Plan // what was repaired
}

func (f *fixFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.Kinds, "fix", nil, "repair what is found. `KIND` is "+
		"safe: add what is not set, and correct what is refused or ignored; "+
		"unsafe: also replace and remove settings that are written, with the comments beside them; "+
		"central: by one patch for many releases where nothing decides yet, in their Flux Kustomization or kustomization.yaml. "+
		"Several with commas; without KIND it is safe")
	flags.Lookup("fix").NoOptDefVal = repair.Kinds[0]
	usage.Complete(cmd, "fix", repair.Kinds)
	flags.BoolVar(&f.Diff, "diff", false, "show what --fix would change and write nothing")
	for _, known := range []string{"new-from", "baseline", "write-baseline"} {
		usage.Exclude(cmd, "fix", known)
		usage.Exclude(cmd, "diff", known)
	}
}

// repair is the fix step of a run of lint. It returns what is left to report.
func (l *lint) repair(ctx context.Context, std streams, judged *judge.Evaluator, rule func(string) (rules.Rule, bool), found load.Loaded, paths []string, now judge.State) (load.Loaded, judge.State, error) {
	if !l.Wanted() {
		return found, now, nil
	}
	scope, err := l.scope(ctx, std, found, judged, now)
	if err != nil {
		return found, now, err
	}
	r, err := scope.Repairer(ctx, paths, repair.Options{
		Unsafe: slices.Contains(l.Kinds, "unsafe"), Central: slices.Contains(l.Kinds, "central"),
		Clusters: l.Clusters, Rule: rule, Rules: l.selection,
	})
	if err != nil {
		return found, now, err
	}
	busy := std.process().Begin("trying repairs")
	err = r.Run()
	busy.Stop()
	if err != nil {
		return found, now, err
	}
	if l.Diff {
		l.plan = r.Plan(false)
		if !l.Reported {
			_, err = io.WriteString(std.out, string(l.plan.Patch))
		}
		return found, now, errors.Join(err, r.Summary(std.err, "would be fixed"))
	}
	release := std.watch.Guard(r.Undo)
	left, err := r.Write(func() (judge.State, error) {
		now, _, err := l.Open(ctx, onDisk(std), paths)
		if err != nil {
			return judge.State{}, err
		}
		found.Options.Inputs, found.Options.Sources = now.Inputs, now.Sources
		return scope.Again(ctx, found.Options)
	})
	release()
	if err != nil {
		return found, now, err
	}
	l.plan = r.Plan(true)
	if err := r.Summary(std.err, "fixed"); err != nil || !scope.More {
		return found, left, err
	}
	left, err = repair.Judge(ctx, judged, found.Options)
	return found, left, err
}

// scope returns all clusters of the repositories that were read: they may object to
// changes of what they share.
func (s *source) scope(ctx context.Context, std streams, found load.Loaded, judged *judge.Evaluator, now judge.State) (*repair.Scope, error) {
	return repair.NewScope(ctx, found.Options, func(file string) (*tree.Tree, error) {
		dir := filepath.Dir(file)
		return onDisk(std).Kept().Open(ctx, dir, load.TreeOptions(dir, found.Config))
	}, judged, now)
}

// suggestions returns the edits that reports suggest: those that nothing objects to.
func (s *source) suggestions(ctx context.Context, std streams, now judged, opts repair.Options) (judge.Hunks, error) {
	scope, err := s.scope(ctx, std, now.Loaded, now.evaluator, now.state)
	if err != nil {
		return nil, err
	}
	opts.Clusters = s.Clusters
	r, err := scope.Repairer(ctx, now.paths, opts)
	if err != nil {
		return nil, err
	}
	return r.Suggest()
}
