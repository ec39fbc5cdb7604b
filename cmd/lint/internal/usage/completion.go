package usage

import (
	"context"
	"time"

	"github.com/spf13/cobra"
)

// Complete has shells, and the Flux CLI for its plugins, offer values of a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the flag is not there
	}
}

// patience is how long a shell waits for what must be read first.
const patience = 5 * time.Second

// CompleteLater has shells offer values of a flag that must be looked for.
func CompleteLater(cmd *cobra.Command, flag string, values func(ctx context.Context, args []string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		return values(ctx, args), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is not there
	}
}

// completions has the command that writes the scripts of shells refuse a shell that it does not
// know: cobra shows its help, as if all were well.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}
