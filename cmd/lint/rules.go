package main

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/rulebook"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

func newRules(std streams) *cobra.Command {
	var folders []string
	cmd := &cobra.Command{
		Use:   "rules [ID]",
		Short: "List the rules, or print the page of one",
		Example: `  flux-remedy rules
  flux-remedy rules retry-then-rollback`,
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
			return printRule(std, engine, args[0])
		},
	}
	policyFlag(cmd, &folders)
	return cmd
}

// policyFlag registers the flag that adds rules, for newEngine.
func policyFlag(cmd *cobra.Command, folders *[]string) {
	cmd.Flags().StringArrayVar(folders, "policy", nil, "folder `DIR` of rules of your own; repeatable")
}

// newEngine compiles the built-in policies and those of folders.
func newEngine(ctx context.Context, folders []string) (*rules.Engine, error) {
	var opened []policy.Folder
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--policy %s: no such folder", folder)
		}
		opened = append(opened, policy.Folder{Name: folder, FS: os.DirFS(folder)})
	}
	return compile(ctx, opened)
}

// compile compiles the built-in policies and those of folders.
func compile(ctx context.Context, folders []policy.Folder) (*rules.Engine, error) {
	sources := []fs.FS{policies.FS}
	for _, folder := range folders {
		sources = append(sources, folder)
	}
	return rules.New(ctx, sources...)
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

func printRule(std streams, engine *rules.Engine, id string) error {
	named := engine.Named(id)
	if id == policy.Rule.ID {
		named = []rules.Rule{policy.Rule}
	}
	if len(named) == 0 {
		return fmt.Errorf("there is no rule %q: \"flux-remedy rules\" lists them%s", id, rules.DidYouMean(id, engine.IDs()))
	}
	if renamed := engine.Renamed(id); renamed != "" {
		std.note("%s", renamed)
	}
	for _, rule := range named {
		if _, err := io.WriteString(std.out, plain.Text(rulebook.Page(rule))); err != nil {
			return err
		}
	}
	return nil
}
