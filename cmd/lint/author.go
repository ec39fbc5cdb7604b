package main

import (
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/authoring"
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
