package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"text/template"

	_ "embed"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed config.yaml.tmpl
var configText string

var configTemplate = template.Must(template.New(rules.ConfigFile).Parse(configText))

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
	clusters := clustersOf(tree)
	var text bytes.Buffer
	if err := configTemplate.Execute(&text, start{clusters, release.DefaultControllerVersion}); err != nil {
		return err
	}
	if err := os.WriteFile(rules.ConfigFile, text.Bytes(), 0o644); err != nil {
		return err
	}
	return started(std.out, clusters)
}

// started says what was written, and what is to be looked at.
func started(w io.Writer, clusters []cluster) error {
	applied, assumed := 0, 0
	for _, c := range clusters {
		if c.Applied {
			applied++
		}
		if c.assumed() {
			assumed++
		}
	}
	text := fmt.Sprintf("wrote %s, clusters found: %d\n", rules.ConfigFile, applied)
	if assumed > 0 {
		text += "nothing names the environment of those marked \"check it\": correct their tier if it is not " + string(release.Production) + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

func readHere(ctx context.Context, std streams) (*flux.Tree, error) {
	busy := terminal.StartProgress(std.err, "reading .")
	defer busy.Stop()
	here := &source{builder: build.NewBuilder()}
	inputs, err := here.inputs(ctx, onDisk(streams{}), []string{"."}, judge.Configuration{Config: &rules.Config{}})
	if err != nil {
		return nil, err
	}
	return flux.Load(ctx, flux.Options{Inputs: inputs, Config: &rules.Config{}, Builder: here.builder})
}
