package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
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
	if _, err := os.Lstat(rules.ConfigFile); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists: it is left as it is", rules.ConfigFile)
	}
	tree, err := readHere(ctx, std)
	if err != nil {
		return err
	}
	config := starter.Of(tree)
	var text bytes.Buffer
	if err := config.Write(&text); err != nil {
		return err
	}
	if err := files.Replace(rules.ConfigFile, text.Bytes()); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "wrote %s, %s", rules.ConfigFile, config.Summary())
	return err
}

func readHere(ctx context.Context, std streams) (*flux.Tree, error) {
	busy := std.begin("reading .")
	defer busy.Stop()
	here := &source{builder: build.NewBuilder()}
	here.beside(std)
	inputs, err := onDisk(streams{}).Inputs(ctx, here.builder, []string{"."}, judge.Configuration{Config: &rules.Config{}})
	if err != nil {
		return nil, err
	}
	return flux.Load(ctx, flux.Options{Inputs: inputs, Config: &rules.Config{}, Builder: here.builder})
}
