package audit

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// appliers are the labels by which a controller marks what it applies, and its kind.
var appliers = []struct{ prefix, kind string }{
	{"kustomize.toolkit.fluxcd.io/", "Kustomization"},
	{"resourceset.fluxcd.controlplane.io/", "ResourceSet"},
	{"fluxcd.controlplane.io/", "FluxInstance"},
	{"helm.toolkit.fluxcd.io/", "HelmRelease"},
}

// appliedBy returns what applies an object of a cluster, by its labels; empty if they do
// not say.
func appliedBy(object map[string]any) string {
	meta, _ := object["metadata"].(map[string]any)
	labels, _ := meta["labels"].(map[string]any)
	for _, a := range appliers {
		namespace, _ := labels[a.prefix+"namespace"].(string)
		if name, _ := labels[a.prefix+"name"].(string); name != "" {
			return a.kind + " " + strings.TrimPrefix(namespace+"/"+name, "/")
		}
	}
	return ""
}

// written is a release as a repository has it.
func written(r judge.Release) Release {
	out := Release{
		Name: r.ID(), Cluster: r.Cluster, Tier: r.Tier, Class: r.Verdict.Class, Findings: []Finding{},
	}
	if len(r.AppliedBy) > 0 {
		out.AppliedBy = r.AppliedBy[0].What
	}
	for _, f := range r.Verdict.Findings {
		f.Message = r.Mask(f.Message)
		out.Findings = append(out.Findings, findingOf(f))
	}
	return out
}

// fromTree says what would be refused of what a repository has.
func fromTree(state judge.State, config *rules.Config, engine *rules.Engine) Report {
	var all []Release
	for _, r := range state.Releases {
		all = append(all, written(r))
	}
	report := newReport([]Release{}, nil, []string{})
	report.Readiness = readiness(all, config, engine)
	report.Readiness.Undetermined = len(state.Tree.Undetermined)
	for _, p := range state.Tree.Problems {
		report.Problems = append(report.Problems, fmt.Sprintf("read %s: %v", cmp.Or(p.File, "the repository"), p.Err))
	}
	return report
}
