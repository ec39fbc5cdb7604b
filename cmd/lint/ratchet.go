package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// ratchet are the flags that let be what was found before.
type ratchet struct {
	newFrom       string
	baseline      string
	writeBaseline string
}

func (r *ratchet) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&r.newFrom, "new-from", "", "report only what was not found in the revision `REV`")
	flags.StringVar(&r.baseline, "baseline", "", "report only what is not in the baseline `FILE`")
	flags.StringVar(&r.writeBaseline, "write-baseline", "", "write what is found to `FILE`; from one that exists, only drop what is no longer found")
	cmd.MarkFlagsMutuallyExclusive("new-from", "baseline", "write-baseline")
}

// drop takes away the findings that are not new; it gives nil if all count.
func (l *lint) drop(ctx context.Context, std streams, engine *rules.Engine, run *judgement) (*report.Baseline, error) {
	switch {
	case l.newFrom != "":
		return l.dropOld(ctx, std, engine, run)
	case l.baseline != "":
		known, err := readBaseline(l.baseline)
		if err != nil {
			return nil, err
		}
		return known.drop(run, engine), nil
	case l.writeBaseline != "":
		return writeBaseline(std, l.writeBaseline, run, engine)
	}
	return nil, nil
}

// dropOld keeps what a diff with the revision calls new or worse.
func (l *lint) dropOld(ctx context.Context, std streams, engine *rules.Engine, run *judgement) (*report.Baseline, error) {
	_, before, err := l.baseSide(ctx, std, engine, l.newFrom, run.paths, run.now)
	if err != nil {
		return nil, fmt.Errorf("--new-from %s: %w", l.newFrom, err)
	}
	if l.noWaivers {
		before.Unwaive()
	}
	gained := map[report.Known]bool{}
	for _, c := range report.Compare(l.newFrom, before, sideOf(run.tree, run.all, nil)).Changes {
		for _, f := range c.Gained {
			gained[report.Known{Rule: f.Rule, Release: c.Name.String(), Path: f.Path, Cluster: c.Cluster, File: c.File}] = true
		}
	}
	n := run.drop(func(j judged, f rules.Finding) bool {
		return !gained[report.Known{Rule: f.Rule, Release: j.ID().String(), Path: f.Path.String(), Cluster: j.Cluster, File: j.File}]
	})
	return &report.Baseline{From: l.newFrom, Known: n, Stale: []report.Known{}}, nil
}
