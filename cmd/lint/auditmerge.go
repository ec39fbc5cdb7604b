package main

import (
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/audit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/output"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

func newAuditMerge(std streams) *cobra.Command {
	a := &auditor{}
	cmd := &cobra.Command{
		Use:   "merge FILE|DIR...",
		Short: "Make one report of several",
		Long: `Make one report of those that "audit -o json" has written, as with --shard on
several machines, or of all JSON files of a folder. A shard that is in no file, or
older than the others by an hour, is named, and the run exits with 2.`,
		Example: `  flux-remedy audit --all-contexts --shard 0/2 -o json > 0.json
  flux-remedy audit --all-contexts --shard 1/2 -o json > 1.json
  flux-remedy audit merge 0.json 1.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if _, err := output.Parse(a.Outputs, audit.MergedFormats()); err != nil {
				return err
			}
			if err := a.Check(); err != nil {
				return err
			}
			report, err := audit.Merge(args)
			if err != nil {
				return err
			}
			return a.tell(std, report)
		},
	}
	a.RegisterOutput(cmd.Flags())
	outputFlag(cmd, &a.Outputs, audit.MergedFormats())
	usage.Complete(cmd, "fail-on", output.Severities())
	return cmd
}
