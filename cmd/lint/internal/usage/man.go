package usage

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
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
	var out bytes.Buffer
	cmd.DisableAutoGenTag = true
	header := doc.GenManHeader{Section: "1", Date: &time.Time{}, Source: "Flux Remedy", Manual: "Flux Remedy"}
	if err := doc.GenMan(cmd, &header, &out); err != nil {
		return fmt.Errorf("write man page of %s: %w", cmd.CommandPath(), err)
	}
	page := bytes.Replace(out.Bytes(), []byte(`"Jan 0001"`), []byte(`""`), 1)
	file := filepath.Join(dir, strings.ReplaceAll(cmd.CommandPath(), " ", "-")+".1")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		return fmt.Errorf("write man page: %w", err)
	}
	return nil
}
