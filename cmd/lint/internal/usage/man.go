package usage

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
)

// NewMan returns the command that writes the man pages. It is for those who package the
// program, so that it is not listed.
func NewMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the man pages to a folder",
		Long:    "Write a man page of every command to the folder DIR, which is made if it is not there.",
		Example: `  flux-remedy man ~/.local/share/man/man1`,
		Args:    cobra.ExactArgs(1),
		Hidden:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeManTo(cmd.Root(), args[0])
		},
	}
}

// writeManTo writes man pages of a command and of those below it, without a date, to a folder
// that is made if it is not there.
func writeManTo(cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write man pages: %w", err)
	}
	return writeMan(cmd, dir)
}

func writeMan(cmd *cobra.Command, dir string) error {
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writeMan(sub, dir); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, manName(cmd)+".1")
	if err := os.WriteFile(file, []byte(manPage(cmd)), 0o644); err != nil {
		return fmt.Errorf("write man page: %w", err)
	}
	return nil
}
