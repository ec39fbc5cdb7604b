package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

//go:embed config.yaml
var configTemplate []byte

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

func newConfigInit(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented configuration to " + rules.ConfigFile,
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, err := os.OpenFile(rules.ConfigFile, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s exists: it is left as it is", rules.ConfigFile)
			}
			if err != nil {
				return err
			}
			_, err = file.Write(configTemplate)
			if err := errors.Join(err, file.Close()); err != nil {
				return err
			}
			_, err = fmt.Fprintf(std.out, "wrote %s\n", rules.ConfigFile)
			return err
		},
	}
}
