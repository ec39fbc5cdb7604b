package judge

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// found is a finding that nothing waives, with the entries that it may have in a baseline.
type found struct {
	rules.Finding
	identity
	cause   report.Known // by what makes it
	own     report.Known // by the release's own document, whatever makes it
	release report.Known // by its release, as earlier versions wrote it
	shown   float64      // the degree, as far as it may be told
}

// found lists the findings that nothing waives, for a baseline in dir.
func (s State) found(dir string) []found {
	var all []found
	for _, r := range s.Releases {
		for _, f := range r.Verdict.Findings {
			if f.Waiver == nil {
				all = append(all, r.found(f, dir))
			}
		}
	}
	return all
}

func (r Release) found(f rules.Finding, dir string) found {
	cause, own := r.Cause(f), r.Locate(release.Path{"spec"})
	return found{
		Finding: f, identity: identityOf(r, f),
		cause:   report.Known{Rule: f.Rule, File: fileFrom(dir, cause.File), Field: cause.Field},
		own:     report.Known{Rule: f.Rule, File: fileFrom(dir, own.File), Field: r.Mask(own.Field())},
		release: r.entry(f, dir),
		shown:   r.MaskDegree(f.Degree),
	}
}

// entry returns the entry of earlier versions for a finding, or for a release.
func (r Release) entry(f rules.Finding, dir string) report.Known {
	k := report.Known{Rule: f.Rule, Release: r.ID().String(), Path: f.Path.String(), Cluster: r.Cluster}
	if k.Cluster == "" {
		k.File = fileFrom(dir, r.File)
	}
	return k
}

// entries returns what a baseline says of findings: of each cause how bad it is, once.
func entries(all []found) []report.Known {
	out := make([]report.Known, 0, len(all))
	for _, f := range all {
		k := f.cause
		k.Severity, k.Degree = f.Severity, f.shown
		out = append(out, k)
	}
	return worst(out)
}

// worst sorts entries, and leaves out what others cover.
func worst(all []report.Known) []report.Known {
	slices.SortFunc(all, func(a, b report.Known) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Field, b.Field), cmp.Compare(a.Cluster, b.Cluster),
			cmp.Compare(a.Release, b.Release), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(b.Worst(), a.Worst()))
	})
	out := []report.Known{}
	for _, k := range all { // what covers an entry stands before it
		if !slices.ContainsFunc(out[same(out, k):], func(o report.Known) bool { return o.Covers(k.Severity, k.Worst()) }) {
			out = append(out, k)
		}
	}
	return out
}

// same returns the index of the first of the last entries that are about what an entry is.
func same(all []report.Known, as report.Known) int {
	i := len(all)
	for i > 0 && all[i-1].Identity() == as.Identity() {
		i--
	}
	return i
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
