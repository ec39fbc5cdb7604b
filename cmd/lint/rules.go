package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulebook"
	"github.com/flux-remedy/remedy/cmd/lint/internal/ruleset"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newRules(std streams) *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, print the page of one, or write rules of your own",
		Example: `  flux-remedy rules
  flux-remedy rules retry-then-rollback
  flux-remedy rules new visibility/no-team`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return ruleIDs(cmd.Context(), len(args)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			engine, err := newEngine(cmd.Context(), folders)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				return rulebook.List(std.out, described(engine))
			}
			return rulebook.Print(std.out, std.note, engine, args[0])
		},
	}
	policyFlag(cmd, &folders)
	cmd.AddCommand(newRulesNew(std), newRulesTest(std), newRulesDoc(std))
	return cmd
}

// policyFlag registers the flag that adds rules, for newEngine.
func policyFlag(cmd *cobra.Command, folders *[]string) {
	cmd.Flags().StringArrayVar(folders, "policy", nil, "folder `DIR` of rules of your own; repeatable")
}

// newEngine compiles the built-in policies and those of folders.
func newEngine(ctx context.Context, folders []string) (*rules.Engine, error) {
	return ruleset.Open(ctx, folders)
}

// described are the rules of an engine and what is found without one.
func described(engine *rules.Engine) []rules.Rule { return append(engine.Rules(), policy.Rule) }

func ruleIDs(ctx context.Context, given int) []string {
	engine, err := newEngine(ctx, nil)
	if err != nil || given > 0 {
		return nil
	}
	var ids []string
	for _, rule := range engine.Rules() {
		ids = append(ids, rule.ID+"\t"+rule.Title)
	}
	return ids
}
