package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fluxcd/pkg/sourceignore"
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/starter"
	"github.com/flux-remedy/remedy/cmd/lint/internal/repair"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newConfigInit(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented configuration to " + rules.ConfigFile + ", and what is known to " + judge.BaselineName,
		Long: `Write a commented configuration to ` + rules.ConfigFile + ` in the working directory, with which
"flux-remedy lint --strict" passes and reports what is new. The clusters that are
found are listed with the tier that each has now. What is found is written to
` + judge.BaselineName + `, and what cannot be determined is accepted for 90 days or,
one after the other, up to 174.
Where a configuration is found upward, nothing is written.
Files that exist are left as they are, but for a line in .sourceignore where Flux
would take the two for manifests.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return initConfig(cmd.Context(), std) },
	}
}

// initConfig writes the first configuration, and judges the tree under it.
func initConfig(ctx context.Context, std streams) error {
	l := &lint{strict: true}
	l.Builder = build.NewBuilder()
	disk := onDisk(streams{err: std.err})
	if err := starter.Free(); err != nil {
		return err
	}
	engine, err := l.Engine(ctx, disk, ".")
	if err != nil {
		return err
	}
	found, err := l.Load(ctx, std.process(), engine, disk, []string{"."})
	if err != nil {
		return err
	}
	if file := found.Config.File; file != "" {
		return fmt.Errorf("%s is the configuration of this folder, too: edit it. To have another one here, write one whose spec.extends names it", judge.FromHere(file))
	}
	now := time.Now()
	evaluator, err := judge.NewEvaluator(engine, found.Config, now)
	if err != nil {
		return err
	}
	state, err := evaluator.Evaluate(ctx, found.Tree)
	if err != nil {
		return err
	}
	run := &judge.Run{State: state, Paths: []string{"."}, Inputs: found.Options.Inputs, Whole: true, Now: now}
	result := run.Report(judge.Shown{HoldsUp: true, Remedy: repair.Remedies(state, evaluator.Foresee(ctx), true)})
	config := starter.Of(run, result)
	if err := config.Create(run, engine); err != nil {
		return err
	}
	lines := append(config.Summary(), reportOptions(std.out, described(engine), nil, "").First(result, 5)...)
	_, err = fmt.Fprintln(std.out, strings.Join(lines, "\n"))
	if err != nil {
		return err
	}
	return l.passes(ctx, std, engine)
}

// passes judges the working directory under its new configuration, and says whether a strict run passes.
func (l *lint) passes(ctx context.Context, std streams, engine *rules.Engine) error {
	result, _, err := l.judge(ctx, std, engine, []string{"."}, nil)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(result.Undetermined, func(u release.Undetermined) bool { return strings.HasSuffix(u.Reason, entries.OwnFiles) }) {
		excluded, err := starter.Exclude(entries.OwnFiles)
		if err != nil {
			return err
		}
		if excluded {
			std.note("added %s to .sourceignore: Flux would take these files for manifests and fail", entries.OwnFiles)
			return l.passes(ctx, std, engine)
		}
	}
	nothing := (*exitError)(nil)
	if err := l.exitStatus(result, []string{"."}, rules.Error); errors.As(err, &nothing) && nothing.code == exitNothing {
		std.note("%v yet", err) // clusters may be declared next
		return nil
	} else if err != nil {
		std.note("\"flux-remedy lint --strict\" does not pass yet: it says why")
		return err
	}
	if left, byFolder := tree.Untracked(".", rules.ConfigFile, judge.BaselineName, sourceignore.IgnoreFile); len(left) > 0 {
		take := fmt.Sprintf("or write the line \"!%s\" at the end of .gitignore", entries.OwnFiles)
		if byFolder {
			take = "as .gitignore leaves out a folder that they are in, and no line takes them in again below it"
		}
		std.note("\"flux-remedy lint --strict\" passes in this folder only: .gitignore leaves %s out of the commit. Add what is left out by \"git add -f %s\", %s",
			strings.Join(left, " and "), strings.Join(left, " "), take)
		return nil
	}
	_, err = fmt.Fprintln(std.out, "\"flux-remedy lint --strict\" passes now, and reports what is new")
	return err
}
