package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/authoring"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newRulesNew(std streams) *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "new CATEGORY/NAME",
		Short:   "Start a rule of your own: its folder with METADATA, tests, examples and page",
		Example: `  flux-remedy rules new visibility/no-team --dir policy`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return authoring.New(cmd.Context(), std.out, dir, args[0])
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "policy", "folder `DIR` of your rules")
	return cmd
}

func newRulesTest(std streams) *cobra.Command {
	var o authoring.Options
	cmd := &cobra.Command{
		Use:   "test [DIR...]",
		Short: "Test rules of your own as the built-in ones are tested",
		Long: `Hold the rules below each DIR (default: policy) to what the built-in ones are held to:
METADATA, severities, examples that are true, one finding for one cause, fixes that
come to an end. Then run the Rego tests beside them.`,
		Example: `  flux-remedy rules test policy
  flux-remedy rules test policy --min-coverage 100 -o junit > rules.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Folders = args
			held, err := authoring.Test(cmd.Context(), std.out, o)
			if _, none := errors.AsType[*ruletest.NoRuleError](err); none {
				return &exitError{code: exitNothing, err: err}
			}
			if err == nil && !held {
				return &exitError{code: exitFindings}
			}
			return err
		},
	}
	usage.Words(cmd.Flags(), &o.Skip, "skip", "leave out a `CHECK`: "+strings.Join(authoring.Checks(), ", ")+"; several with commas")
	cmd.Flags().IntVar(&o.MinCoverage, "min-coverage", 0, "fail if the Rego tests reach less than `PERCENT` of the lines of a rule")
	cmd.Flags().StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(authoring.Formats(), ", "))
	usage.Complete(cmd, "output", authoring.Formats())
	usage.Complete(cmd, "skip", authoring.Checks())
	return cmd
}

func newRulesDoc(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "doc DIR",
		Short: "Write the pages of the rules in a folder, and their index",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return authoring.Doc(cmd.Context(), std.out, args[0])
		},
	}
}

func newRulesExplain(std streams) *cobra.Command {
	var q authoring.Question
	cmd := &cobra.Command{
		Use:   "explain ID",
		Short: "Show what a rule sees of one release, and why it reports or not",
		Example: `  flux-remedy rules explain no-team --policy policy --input bad.yaml
  flux-remedy render --release apps/shop | flux-remedy rules explain no-recovery --input -`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Rule = args[0]
			return authoring.Explain(cmd.Context(), std.in, std.out, q)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&q.Input, "input", "", "`FILE` of a HelmRelease as it reaches the cluster, or - for standard input")
	flags.StringVar(&q.Tier, "tier", "production", "`TIER` that it is judged in")
	flags.StringVar(&q.Config, "config", "", "configuration `FILE` (default: "+rules.ConfigFile+" found upward from the working directory)")
	flags.StringArrayVar(&q.Folders, "policy", nil, "folder `DIR` of rules of your own; repeatable")
	return cmd
}
