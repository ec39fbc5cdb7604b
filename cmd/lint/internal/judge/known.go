package judge

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// known lists the identities of the findings that nothing waives, in order, for a
// baseline in dir.
func (s State) known(dir string) []report.Known {
	all := []report.Known{}
	for _, r := range s.Releases {
		for _, f := range r.Verdict.Findings {
			if f.Waiver == nil {
				k := r.known(f, dir)
				k.Severity = f.Severity
				all = append(all, k)
			}
		}
	}
	slices.SortFunc(all, func(a, b report.Known) int {
		return cmp.Or(cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.Release, b.Release), cmp.Compare(a.File, b.File),
			cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Severity, b.Severity))
	})
	return slices.Compact(all)
}

// known returns the identity of a finding for a baseline in dir.
func (r Release) known(f rules.Finding, dir string) report.Known {
	k := report.Known{Rule: f.Rule, Release: r.ID().String(), Path: f.Path.String(), Cluster: r.Cluster}
	if k.Cluster == "" {
		k.File = fileFrom(dir, r.File)
	}
	return k
}

// fileFrom returns a file as seen from a folder, with slashes.
func fileFrom(dir, file string) string {
	from, err1 := filepath.Abs(dir)
	to, err2 := filepath.Abs(file)
	if rel, err := filepath.Rel(from, to); file != "-" && errors.Join(err, err1, err2) == nil {
		return filepath.ToSlash(rel)
	}
	return file
}
