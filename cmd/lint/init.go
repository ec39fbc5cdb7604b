package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/template"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/spf13/cobra"
)

//go:embed config.yaml.tmpl
var configText string

var configTemplate = template.Must(template.New(rules.ConfigFile).Funcs(template.FuncMap{"settled": settled}).Parse(configText))

func newConfigInit(std streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init",
		Short: "Write a commented configuration to " + rules.ConfigFile,
		Long: `Write a commented configuration to ` + rules.ConfigFile + ` in the working directory. The
clusters that are found below it are listed with the tier that each has now.
A file that exists is left as it is.`,
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
	if err := configTemplate.Execute(&text, clusters); err != nil {
		return err
	}
	if err := os.WriteFile(rules.ConfigFile, text.Bytes(), 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintf(std.out, "wrote %s, clusters found: %d\n", rules.ConfigFile, len(clusters))
	return err
}

func readHere(ctx context.Context, std streams) (*flux.Tree, error) {
	busy := startProgress(std.err, "reading .")
	defer busy.stop()
	return flux.Load(ctx, flux.Options{Paths: []string{"."}, Config: &rules.Config{}})
}

// cluster is what a new configuration says of a cluster.
type cluster struct {
	Name     string
	releases []*flux.Release // at least one
}

// clustersOf lists the clusters of a tree in their order.
func clustersOf(tree *flux.Tree) []cluster {
	var clusters []cluster
	for _, r := range tree.Releases {
		if r.Cluster == "" || len(r.AppliedBy) == 0 {
			continue // no Flux Kustomization applies it
		}
		i := slices.IndexFunc(clusters, func(c cluster) bool { return c.Name == r.Cluster })
		if i < 0 {
			i = len(clusters)
			clusters = append(clusters, cluster{Name: r.Cluster})
		}
		clusters[i].releases = append(clusters[i].releases, r)
	}
	return clusters
}

// settled gives the clusters whose releases are all of one tier.
func settled(clusters []cluster) []cluster {
	return slices.DeleteFunc(slices.Clone(clusters), func(c cluster) bool { return len(c.tiers()) > 1 })
}

// Tier is that of the first release.
func (c cluster) Tier() rules.Tier { return c.releases[0].Tier }

// tiers counts the releases of each tier that has some, the strictest first.
func (c cluster) tiers() []string {
	n := map[rules.Tier]int{}
	for _, r := range c.releases {
		n[r.Tier]++
	}
	var parts []string
	for _, tier := range rules.Tiers {
		if n[tier] > 0 {
			parts = append(parts, fmt.Sprintf("%d in %s", n[tier], tier))
		}
	}
	return parts
}

// String says what was found of the cluster.
func (c cluster) String() string {
	first := c.releases[0]
	text := fmt.Sprintf("%s: %s; helm-controller %s", c.Name, strings.Join(c.tiers(), ", "), first.Controller.Version)
	if first.Controller.Gates.DefaultToRetryOnFailure() {
		text += " with DefaultToRetryOnFailure"
	}
	switch {
	case len(c.tiers()) > 1:
		return text + "; see \"flux-remedy render\" for why"
	case first.TierFrom == "default":
		return text + "; nothing names its environment: check it"
	}
	return text + "; " + first.TierFrom
}
