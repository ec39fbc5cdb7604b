package main

import (
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newRules(std streams) *cobra.Command {
	var named load.Policies
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, print the page of one, or write rules of your own",
		Example: `  flux-remedy rules
  flux-remedy rules retry-then-rollback
  flux-remedy rules new visibility/no-team`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) (titles []string, _ cobra.ShellCompDirective) {
			if len(args) == 0 {
				titles = load.RuleTitles(cmd.Context())
			}
			return titles, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			engine, err := named.OpenUnder(cmd.Context(), onDisk(std), "", ".")
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return rulekit.List(std.out, described(engine))
			}
			return rulekit.Print(std.out, std.note, engine, args[0])
		},
	}
	policyFlags(cmd, &named)
	cmd.AddCommand(newRulesNew(std), newRulesTest(std), newRulesDoc(std), newRulesExplain(std), newRulesSchema(std))
	return cmd
}

func policyFlags(cmd *cobra.Command, to *load.Policies) {
	usage.Policies(cmd, &to.Folders, &to.Bundle, &to.Keys)
}

// described are the rules of an engine and what is found without one.
func described(engine *rules.Engine) []rules.Rule { return append(engine.Rules(), policy.Rule) }
