package main

import (
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// newMan is for those who package the program, so that it is not listed.
func newMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the man pages to a folder",
		Long:    "Write a man page of every command to the folder DIR, which is made if it is not there.",
		Example: `  flux-remedy man ~/.local/share/man/man1`,
		Args:    cobra.ExactArgs(1),
		Hidden:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return usage.WriteMan(cmd.Root(), args[0])
		},
	}
}
