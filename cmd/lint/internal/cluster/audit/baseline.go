package audit

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// baseline are findings that are known, by release. A baseline of lint goes by files, which
// a cluster does not know.
type baseline struct {
	known   map[report.Known][]report.Known
	dropped int
}

// readBaseline reads a baseline; without a file there is none.
func readBaseline(file string) (*baseline, error) {
	if file == "" {
		return nil, nil
	}
	read, err := judge.ReadBaseline(file)
	if err != nil {
		return nil, err
	}
	b := &baseline{known: map[report.Known][]report.Known{}}
	for _, k := range read.Findings {
		if k.Release == "" {
			return nil, fmt.Errorf("--baseline %s: an entry is of a file and no release: flux-remedy audit --write-baseline makes one", file)
		}
		b.known[k.Identity()] = append(b.known[k.Identity()], k)
	}
	return b, nil
}

// drop removes the findings of a release that are known and no worse.
func (b *baseline) drop(r *overview.Release) {
	if b == nil {
		return
	}
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f overview.Finding) bool {
		return f.Waived == nil && slices.ContainsFunc(b.known[known(f, r).Identity()], func(k report.Known) bool { return k.Covers(f.Severity, f.Degree) })
	})
	b.dropped += before - len(r.Findings)
}

func known(f overview.Finding, r *overview.Release) report.Known {
	return report.Known{Rule: f.Rule, Release: r.String(), Path: f.Path, Cluster: r.Cluster, Severity: f.Severity, Degree: f.Degree}
}

// writeBaseline writes what is found. From a file that exists entries only go; none goes if
// something could not be read.
func writeBaseline(file string, r overview.Report) error {
	out := judge.Baseline{APIVersion: report.APIVersion, Kind: judge.BaselineKind}
	for i := range r.Releases {
		one := &r.Releases[i]
		for _, f := range one.Findings {
			if f.Waived == nil {
				out.Findings = append(out.Findings, known(f, one))
			}
		}
	}
	switch before, err := readBaseline(file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case len(r.Problems) > 0:
		return fmt.Errorf("--write-baseline %s: not all could be read: it stays as it is", file)
	default:
		out.Findings = slices.DeleteFunc(out.Findings, func(k report.Known) bool { return len(before.known[k.Identity()]) == 0 })
	}
	if err := files.Replace(file, out.Encode()); err != nil {
		return fmt.Errorf("write baseline: %w", err)
	}
	return nil
}
