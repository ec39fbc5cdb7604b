package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newConfig(std streams) *cobra.Command {
	config := &cobra.Command{
		Use:   "config",
		Short: "Check or start a configuration (" + rules.ConfigFile + ")",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	config.AddCommand(newConfigCheck(std), newConfigInit(std), newConfigSchema(std))
	return config
}

func newConfigSchema(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of a configuration, for editors",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			_, err := std.out.Write(rules.ConfigSchema())
			return err
		},
	}
}

func newConfigCheck(std streams) *cobra.Command {
	var policies load.Policies
	cmd := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration: its fields, rules, parameters, globs and baseline",
		Long:  "Check FILE or, without one, the configuration found upward from the working directory.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return checkConfig(cmd.Context(), std, strings.Join(args, ""), &policies)
		},
	}
	policyFlags(cmd, &policies)
	return cmd
}

func checkConfig(ctx context.Context, std streams, file string, policies *load.Policies) error {
	config, _, err := policies.Configured(ctx, std.err, file)
	switch {
	case err != nil:
		return err
	case config.File == "":
		return fmt.Errorf("no %s here or above: \"flux-remedy config init\" starts one", rules.ConfigFile)
	}
	if err := config.CheckSlashes(); err != nil {
		return fmt.Errorf("check configuration %s: %w", config.File, err)
	}
	if _, err := config.Baseline(); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "%s is valid\n", plain.Line(config.File))
	return err
}
