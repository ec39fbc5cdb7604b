package main

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/render"
)

// renderer are the flags of the command render.
type renderer struct {
	source
	release string
	output  string
	secrets bool
}

func newRender(std streams) *cobra.Command {
	r := &renderer{}
	cmd := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Print the HelmReleases as Flux will apply them, and who set what",
		Long: `Print the HelmReleases below PATH (default: the working directory) as each cluster
will apply them: built, patched and substituted as kustomize-controller does.
Each failure setting has a comment that says where it was set.`,
		Example: `  flux-remedy render --release apps/shop
  flux-remedy render clusters/production -o json`,
		RunE: func(cmd *cobra.Command, args []string) error { return r.run(cmd.Context(), std, args) },
	}
	r.register(cmd)
	cmd.Flags().StringVar(&r.release, "release", "", "only releases whose `NAMESPACE/NAME` or name matches; globs are allowed")
	cmd.Flags().StringVarP(&r.output, "output", "o", "yaml", "`FORMAT`: "+strings.Join(render.Formats(), ", "))
	cmd.Flags().BoolVar(&r.secrets, "show-secrets", false, "print values, and what Secrets supply")
	complete(cmd, "output", render.Formats())
	return cmd
}

func (r *renderer) run(ctx context.Context, std streams, paths []string) error {
	if !slices.Contains(render.Formats(), r.output) {
		return fmt.Errorf("-o %s: unknown format: want %s", r.output, strings.Join(render.Formats(), ", "))
	}
	if _, err := path.Match(r.release, ""); err != nil {
		return fmt.Errorf("--release %s: no valid glob: want a name or a pattern such as 'apps/*'", r.release)
	}
	engine, err := newEngine(ctx, r.policies)
	if err != nil {
		return err
	}
	found, err := r.load(ctx, std, engine, onDisk(std), orHere(paths))
	if err != nil {
		return err
	}
	all := []render.Release{}
	for _, release := range found.tree.Releases {
		if r.wants(release) {
			all = append(all, render.Of(release, r.secrets))
		}
	}
	if err := render.Write(std.out, r.output, all); err != nil {
		return err
	}
	return r.exitStatus(std, found.tree, all)
}

// wants reports whether a release was asked for.
func (r *renderer) wants(release *flux.Release) bool {
	byName, _ := path.Match(r.release, release.Name)
	byBoth, _ := path.Match(r.release, release.Namespace+"/"+release.Name)
	return r.release == "" || byName || byBoth
}

// exitStatus says what is missing from the output and returns the exit code.
func (r *renderer) exitStatus(std streams, tree *flux.Tree, all []render.Release) error {
	for _, u := range tree.Undetermined {
		if r.release == "" {
			std.note("undetermined: %s:%d: %s", u.File, u.Line, strings.TrimSpace(u.Release+" "+u.Reason))
		}
	}
	for _, p := range tree.Problems {
		std.note("%s:%d:%d: %v", p.File, p.Line, p.Column, p.Err)
	}
	switch {
	case len(tree.Problems) > 0:
		return &exitError{code: exitFailure}
	case len(all) == 0 && r.release != "":
		return r.nothing("no HelmRelease matches --release " + r.release)
	case len(all) == 0:
		return r.nothing("no HelmRelease was found")
	}
	return nil
}
