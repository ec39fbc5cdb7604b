package main

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

func newConfig(std streams) *cobra.Command {
	config := &cobra.Command{
		Use:   "config",
		Short: "Check or start a configuration (" + rules.ConfigFile + ")",
	}
	config.AddCommand(newConfigCheck(std), newConfigInit(std))
	return config
}

func newConfigCheck(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check a configuration: its fields, rules, parameters and globs",
		Long:  "Check FILE or, without one, the configuration found upward from the working directory.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			config, err := loadConfig(append(args, "")[0], nil)
			if err != nil {
				return err
			}
			if config.file == "" {
				return fmt.Errorf("no %s here or above: \"flux-remedy config init\" starts one", rules.ConfigFile)
			}
			engine, err := newEngine(cmd.Context(), nil)
			if err != nil {
				return err
			}
			if err := engine.Check(config.Config); err != nil {
				return fmt.Errorf("check configuration %s: %w", config.file, err)
			}
			_, err = fmt.Fprintf(std.out, "%s is valid\n", config.file)
			return err
		},
	}
}
