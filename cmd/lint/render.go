package main

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/render"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
	"github.com/flux-remedy/remedy/pkg/release"
)

// renderer are the flags of the command render.
type renderer struct {
	source
	release string
	output  string
	secrets bool
	explain string
	// explains is true if a field is given, even an empty one.
	explains bool
}

func newRender(std streams) *cobra.Command {
	r := &renderer{}
	cmd := &cobra.Command{
		Use:   "render [PATH...]",
		Short: "Print the HelmReleases as Flux will apply them, and where each setting comes from",
		Long: `Print the HelmReleases below PATH (default: the working directory) as each cluster
will apply them: built, patched and substituted as kustomize-controller does.
Each failure setting has a comment that says where it was set.`,
		Example: `  flux-remedy render --release apps/shop
  flux-remedy render --release apps/shop --explain spec.upgrade.remediation.retries
  flux-remedy render clusters/production -o json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			r.explains = cmd.Flags().Changed("explain")
			return r.run(cmd.Context(), std, args)
		},
	}
	r.register(cmd)
	cmd.Flags().StringVar(&r.release, "release", "", "only releases whose `NAMESPACE/NAME` or name matches; globs are allowed")
	cmd.Flags().StringVarP(&r.output, "output", "o", "", "`FORMAT`: "+strings.Join(render.Formats(), ", ")+"; with --explain "+strings.Join(render.ExplainFormats(), ", "))
	cmd.Flags().StringVar(&r.explain, "explain", "", "print what sets the field at `PATH` of spec, or the fields below it, in the order of application")
	cmd.Flags().BoolVar(&r.secrets, "show-secrets", false, "print values, and what Secrets supply")
	usage.Complete(cmd, "output", slices.Compact(append(render.Formats(), render.ExplainFormats()...)))
	usage.Complete(cmd, "explain", render.Fields())
	return cmd
}

func (r *renderer) run(ctx context.Context, std streams, paths []string) error {
	formats := render.Formats()
	var field release.Path
	if r.explains {
		var err error
		if field, err = render.Field(r.explain); err != nil {
			return err
		}
		formats, r.Builder.Table.ListWriters = render.ExplainFormats(), true
	}
	if r.output = cmp.Or(r.output, formats[0]); !slices.Contains(formats, r.output) {
		return fmt.Errorf("-o %s: unknown format: want %s", r.output, strings.Join(formats, ", "))
	}
	if _, err := path.Match(r.release, ""); err != nil {
		return fmt.Errorf("--release %s: no valid glob: want a name or a pattern such as 'apps/*'", r.release)
	}
	engine, err := r.Engine(ctx, onDisk(std), orHere(paths)[0])
	if err != nil {
		return err
	}
	found, err := r.Load(ctx, std.process(), engine, onDisk(std), orHere(paths))
	if err != nil {
		return err
	}
	all := render.Chosen(found.Tree.Releases, r.release)
	if err := render.All(std.out, r.output, all, field, r.secrets); err != nil {
		return err
	}
	return r.exitStatus(std, found.Tree, len(all))
}

// exitStatus says what is missing from the output and returns the exit code.
func (r *renderer) exitStatus(std streams, tree *effective.Tree, printed int) error {
	render.Missing(std.note, tree, r.release)
	switch {
	case len(tree.Problems) > 0:
		return &exitError{code: exitFailure}
	case printed == 0 && r.release != "":
		return r.nothing("no HelmRelease matches --release " + r.release)
	case printed == 0:
		return r.nothing("no HelmRelease was found")
	}
	return nil
}
