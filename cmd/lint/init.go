package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/starter"
	"github.com/flux-remedy/remedy/pkg/rules"
)

func newConfigInit(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented configuration to " + rules.ConfigFile,
		Long: `Write a commented configuration to ` + rules.ConfigFile + ` in the working directory. The
clusters that are found below it are listed with the tier that each has now, so
that the file changes nothing before you do. One that exists is left as it is.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return initConfig(cmd.Context(), std) },
	}
}

func initConfig(ctx context.Context, std streams) error {
	busy := std.process().Begin("reading .")
	defer busy.Stop()
	builder := build.NewBuilder()
	std.process().Beside(builder)
	return starter.Init(ctx, std.out, onDisk(streams{}), builder)
}
