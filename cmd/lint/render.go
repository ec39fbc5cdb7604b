package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/pkg/release"
)

// renderer are the flags of the command render.
type renderer struct {
	source
	release string
	output  string
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
	cmd.Flags().StringVarP(&r.output, "output", "o", "yaml", "`FORMAT`: yaml, json")
	complete(cmd, "output", []string{"yaml", "json"})
	return cmd
}

func (r *renderer) run(ctx context.Context, std streams, paths []string) error {
	write, ok := map[string]func(io.Writer, []rendered) error{"yaml": writeYAML, "json": writeJSON}[r.output]
	if !ok {
		return fmt.Errorf("-o %s: unknown format: want yaml, json", r.output)
	}
	if _, err := path.Match(r.release, ""); err != nil {
		return fmt.Errorf("--release %s: no valid glob: want a name or a pattern such as 'apps/*'", r.release)
	}
	engine, err := newEngine(ctx, r.policies)
	if err != nil {
		return err
	}
	tree, _, err := r.load(ctx, std, engine, paths)
	if err != nil {
		return err
	}
	var all []rendered
	for _, release := range tree.Releases {
		if r.wants(release) {
			all = append(all, render(release))
		}
	}
	if err := write(std.out, all); err != nil {
		return err
	}
	return r.verdict(std, tree, all)
}

// wants tells whether a release was asked for.
func (r *renderer) wants(release *flux.Release) bool {
	byName, _ := path.Match(r.release, release.Name)
	byBoth, _ := path.Match(r.release, release.Namespace+"/"+release.Name)
	return r.release == "" || byName || byBoth
}

// verdict says what is missing from the output and gives the exit code.
func (r *renderer) verdict(std streams, tree *flux.Tree, all []rendered) error {
	for _, u := range tree.Undetermined {
		if r.release == "" {
			fmt.Fprintf(std.err, "flux-remedy: undetermined: %s:%d: %s\n", u.File, u.Line, strings.TrimSpace(u.Release+" "+u.Reason))
		}
	}
	for _, p := range tree.Problems {
		fmt.Fprintf(std.err, "flux-remedy: %s:%d:%d: %v\n", p.File, p.Line, p.Column, p.Err)
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

// rendered is an effective release as it is printed.
type rendered struct {
	Cluster   string            `json:"cluster"`
	Namespace string            `json:"namespace"`
	Name      string            `json:"name"`
	Tier      release.Tier      `json:"tier"`
	TierFrom  string            `json:"tierFrom"`
	File      string            `json:"file"`
	Line      int               `json:"line"`
	AppliedBy []writer          `json:"appliedBy"`
	DecidedBy []decision        `json:"decidedBy"`
	Unknown   map[string]string `json:"unknown,omitempty"`
	Object    map[string]any    `json:"object"`
}

// writer is a document or a patch that sets something.
type writer struct {
	What string `json:"what"`
	File string `json:"file"`
	Line int    `json:"line"`
}

// decision is a failure setting and the place that decided it.
type decision struct {
	Path       release.Path `json:"path"`
	Value      any          `json:"value"`
	File       string       `json:"file"`
	Line       int          `json:"line"`
	Column     int          `json:"column"`
	Exact      bool         `json:"exact"`
	Provenance []writer     `json:"provenance,omitempty"`
}

func render(release *flux.Release) rendered {
	out := rendered{
		Cluster: release.Cluster, Namespace: release.Namespace, Name: release.Name,
		Tier: release.Tier, TierFrom: release.TierFrom, File: release.File, Line: release.Line,
		AppliedBy: writersOf(release.AppliedBy), DecidedBy: []decision{},
		Unknown: release.Unknown, Object: release.Object,
	}
	for _, d := range release.Decided() {
		out.DecidedBy = append(out.DecidedBy, decision{
			Path: d.Path, Value: d.Value, File: d.By.File, Line: d.By.Line, Column: d.By.Column,
			Exact: d.By.Exact, Provenance: writersOf(d.By.SetBy),
		})
	}
	return out
}

func writersOf(writers []flux.Writer) []writer {
	out := []writer{}
	for _, w := range writers {
		out = append(out, writer(w))
	}
	return out
}

func writeJSON(w io.Writer, all []rendered) error {
	if all == nil {
		all = []rendered{}
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(all)
}

func writeYAML(w io.Writer, all []rendered) error {
	for _, r := range all {
		node := &yaml.Node{}
		if err := node.Encode(r.Object); err != nil {
			return err
		}
		for _, d := range r.DecidedBy {
			if key, value := find(node, d.Path); value != nil {
				comment(key, value, d.String())
			}
		}
		if _, err := fmt.Fprint(w, "---\n"+r.header()); err != nil {
			return err
		}
		encoder := yaml.NewEncoder(w)
		encoder.SetIndent(2)
		if err := encoder.Encode(node); err != nil {
			return err
		}
		if err := encoder.Close(); err != nil {
			return err
		}
	}
	return nil
}

// header is the comment above a release.
func (r rendered) header() string {
	var b strings.Builder
	if r.Cluster != "" {
		fmt.Fprintf(&b, "# cluster %s\n", r.Cluster)
	}
	fmt.Fprintf(&b, "# %s, by %s\n# %s:%d\n", r.Tier, r.TierFrom, r.File, r.Line)
	for _, w := range r.AppliedBy {
		fmt.Fprintf(&b, "# applied by %s, %s:%d\n", w.What, w.File, w.Line)
	}
	return b.String()
}

// String says where a setting was set: by the release itself, or by what else.
func (d decision) String() string {
	out := fmt.Sprintf("%s:%d", d.File, d.Line)
	if len(d.Provenance) > 0 {
		out += ", " + d.Provenance[0].What
	}
	return out
}

// find gives the nodes of key and value at a path; nil if it is not there.
func find(node *yaml.Node, at release.Path) (key, value *yaml.Node) {
	value = node
	for _, step := range at {
		switch step := step.(type) {
		case int:
			if step >= len(value.Content) {
				return nil, nil
			}
			key, value = nil, value.Content[step]
		case string:
			i := 0
			for i+1 < len(value.Content) && value.Content[i].Value != step {
				i += 2
			}
			if i+1 >= len(value.Content) {
				return nil, nil
			}
			key, value = value.Content[i], value.Content[i+1]
		}
	}
	return key, value
}

// comment puts a comment behind a value or, where it has several lines, above
// its key.
func comment(key, value *yaml.Node, text string) {
	if key != nil && strings.Contains(value.Value, "\n") {
		key.HeadComment = text
		return
	}
	value.LineComment = text
}
