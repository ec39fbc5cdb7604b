package main

import (
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

// complete has shells, and the Flux CLI for its plugins, offer values of a flag.
func complete(cmd *cobra.Command, flag string, values []string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the flag is not there
	}
}

func severities() []string {
	names := make([]string, len(rules.Severities))
	for i, s := range rules.Severities {
		names[i] = string(s)
	}
	return names
}
