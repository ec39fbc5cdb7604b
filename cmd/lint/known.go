package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// knownFlags say what is known already, and so is not reported again.
type knownFlags struct {
	newFrom       string
	baseline      string
	writeBaseline string
	allowPolicy   bool
	inherited     bool
	noBaseline    bool // --baseline names none, not even that of the configuration
}

func (k *knownFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&k.newFrom, "new-from", "", "report only what was not found in the revision `REV`")
	flags.StringVar(&k.baseline, "baseline", "", "report only what is not in the baseline `FILE` (default: spec.baseline of the configuration; \"\" for none)")
	flags.StringVar(&k.writeBaseline, "write-baseline", "", "write what is found to `FILE`; from one that exists, only drop what is no longer found")
	allowPolicyFlag(cmd, &k.allowPolicy)
	inheritedFlag(cmd, &k.inherited, "with --new-from, ")
	usage.Check(cmd, func(flags *pflag.FlagSet) error {
		if f := flags.Lookup("baseline"); f.Changed && k.baseline == "" {
			k.noBaseline, f.Changed = true, false // an empty one excludes nothing
		}
		return nil
	})
	usage.Exclude(cmd, "new-from", "baseline", "write-baseline")
	usage.Need(cmd, "fail-on-inherited", "new-from")
	usage.Exclude(cmd, "select", "write-baseline")
	usage.Exclude(cmd, "ignore", "write-baseline")
}

// allowPolicyFlag registers the flag of those who may change the policy.
func allowPolicyFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "allow-policy-change", false, "do not fail on what only a change of the policy excuses (policy-weakened), or newly reports of what was there before")
}

// waiversFlag registers the flag of those who accept no waiver.
func waiversFlag(cmd *cobra.Command, to *bool) {
	cmd.Flags().BoolVar(to, "disallow-waivers", false, "count waived findings as if nothing waived them")
}

// inheritedFlag registers the flag of those who let no new release begin with old faults.
func inheritedFlag(cmd *cobra.Command, to *bool, with string) {
	cmd.Flags().BoolVar(to, "fail-on-inherited", false, with+"count what new releases get from causes that are known already as new")
}

// dropKnown drops the findings that are known; it returns nil if all count. It returns
// what only a new policy excuses, too.
func (l *lint) dropKnown(ctx context.Context, std streams, engine *rules.Engine, found load.Loaded, run *judge.Run) (*report.Baseline, []report.Finding, error) {
	switch {
	case l.newFrom != "":
		known, weakened, err := l.keepNew(ctx, std, found, run)
		if err != nil {
			err = fmt.Errorf("--new-from %s: %w", l.newFrom, err)
		}
		return known, weakened, err
	case l.baseline != "":
		known, err := judge.ReadBaseline(l.baseline)
		if err != nil {
			return nil, nil, err
		}
		return known.Drop(run, engine), nil, nil
	case l.writeBaseline != "":
		known, err := judge.WriteBaseline(l.writeBaseline, run, engine)
		if err != nil {
			return nil, nil, err
		}
		fmt.Fprintf(std.err, "wrote %s, entries: %d\n", l.writeBaseline, len(known.Findings))
		dropped := known.Drop(run, engine)
		if slices.ContainsFunc(run.Releases, func(r judge.Release) bool { return len(r.Verdict.Findings) > 0 }) {
			fmt.Fprintf(std.err, "what is new stays reported: to record it too, delete %s first\n", l.writeBaseline)
		}
		return dropped, nil, nil
	case !l.noBaseline:
		known, err := found.Config.Baseline()
		if known == nil || err != nil {
			return nil, nil, err
		}
		return known.Drop(run, engine), nil, nil
	}
	return nil, nil, nil
}

// keepNew drops the findings that a revision has as well.
func (l *lint) keepNew(ctx context.Context, std streams, found load.Loaded, run *judge.Run) (*report.Baseline, []report.Finding, error) {
	with, err := l.Compare(ctx, std.process(), found, run.State, l.newFrom, run.Now)
	if err != nil {
		return nil, nil, err
	}
	run.State = with.Now
	if l.noWaivers {
		with.Unwaive()
	}
	changed, err := with.Policy(ctx, l.allowPolicy, l.inherited)
	if err != nil {
		return nil, nil, err
	}
	before := with.Before()
	for _, p := range before.Problems {
		std.note("%s: could not be read in %s: %s", p.File, l.newFrom, p.Message)
	}
	return run.KeepNew(l.newFrom, before, l.inherited), changed.Weakened, nil
}
