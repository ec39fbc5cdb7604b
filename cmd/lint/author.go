package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/rulekit"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

func newRulesNew(std streams) *cobra.Command {
	var dir string
	cmd := withArgs(1, func(ctx context.Context, args []string) error { return rulekit.New(ctx, std.out, dir, args[0]) })
	cmd.Use, cmd.Short = "new CATEGORY/NAME", "Start a rule of your own: its folder with METADATA, tests, examples and page"
	cmd.Example = `  flux-remedy rules new visibility/no-team --dir policy`
	cmd.Flags().StringVar(&dir, "dir", "policy", "folder `DIR` of your rules")
	return cmd
}

func newRulesTest(std streams) *cobra.Command {
	var o rulekit.TestOptions
	var folders []string
	cmd := &cobra.Command{
		Use:   "test [DIR...]",
		Short: "Test rules of your own as the built-in ones are tested",
		Long: `Hold the rules below each DIR (default: those of --policy, else policy) to what the built-in ones are held to:
METADATA, severities, examples that are true, one finding for one cause, fixes that
come to an end. Then run the Rego tests beside them.`,
		Example: `  flux-remedy rules test policy
  flux-remedy rules test policy --min-coverage 100 -o junit > rules.xml`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.Folders = args; len(args) == 0 {
				o.Folders = folders
			}
			held, err := rulekit.Test(cmd.Context(), std.out, o)
			if _, none := errors.AsType[*ruletest.NoRuleError](err); none {
				return &exitError{code: exitNothing, err: err}
			}
			if err == nil && !held {
				return &exitError{code: exitFindings}
			}
			return err
		},
	}
	usage.Folders(cmd, &folders)
	usage.Words(cmd.Flags(), &o.Skip, "skip", "leave out a `CHECK`: "+strings.Join(rulekit.Checks(), ", ")+"; several with commas")
	o.Register(cmd.Flags())
	usage.Complete(cmd, "output", rulekit.TestFormats())
	usage.Complete(cmd, "skip", rulekit.Checks())
	return cmd
}

func newRulesDoc(std streams) *cobra.Command {
	cmd := withArgs(1, func(ctx context.Context, args []string) error { return rulekit.Doc(ctx, std.out, args[0]) })
	cmd.Use, cmd.Short = "doc DIR", "Write the pages of the rules in a folder, and their index"
	return cmd
}

func newRulesSchema(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of what a rule sees of a release: its input",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			schema, err := policies.FS.ReadFile(rules.SchemaFile)
			if err != nil {
				return err
			}
			_, err = std.out.Write(schema)
			return err
		},
	}
}

func newRulesExplain(std streams) *cobra.Command {
	var q rulekit.Question
	cmd := withArgs(1, func(ctx context.Context, args []string) error {
		q.Rule = args[0]
		return rulekit.Explain(ctx, std.in, std.out, q)
	})
	cmd.Use, cmd.Short = "explain ID", "Show what a rule sees of one release, and why it reports or not"
	cmd.Example = `  flux-remedy rules explain no-team --policy policy --input bad.yaml
  flux-remedy render --release apps/shop | flux-remedy rules explain no-recovery --input -`
	q.Register(cmd.Flags())
	usage.Complete(cmd, "output", rulekit.ExplainFormats())
	return cmd
}
