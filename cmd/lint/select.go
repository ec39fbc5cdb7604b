package main

import (
	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// selectFlags say of which rules findings are reported and repaired.
type selectFlags struct {
	selected, ignored []string

	selection judge.Selection
}

func (s *selectFlags) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	usage.Words(flags, &s.selected, "select", "report and repair only findings of this `RULE` or category; several with commas")
	usage.Words(flags, &s.ignored, "ignore", "leave out findings of this `RULE` or category: they do not fail the run; several with commas")
	for _, flag := range []string{"select", "ignore"} {
		usage.CompleteLater(cmd, flag, load.RuleNames)
	}
}

func (s *selectFlags) resolve(std streams, engine *rules.Engine) (err error) {
	s.selection, err = judge.Select(engine, s.selected, s.ignored)
	for _, note := range s.selection.Notes {
		std.note("%s", note)
	}
	return err
}
