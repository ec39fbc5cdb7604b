package audit

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
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
func (b *baseline) drop(r *Release) {
	if b == nil {
		return
	}
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		return f.Waived == nil && slices.ContainsFunc(b.known[f.known(r).Identity()], func(k report.Known) bool { return k.Covers(f.Severity, f.degree) })
	})
	b.dropped += before - len(r.Findings)
}

func (f Finding) known(r *Release) report.Known {
	return report.Known{Rule: f.Rule, Release: r.String(), Path: f.Path, Cluster: r.Cluster, Severity: f.Severity, Degree: f.degree}
}

// writeBaseline writes what is found. From a file that exists entries only go; none goes if
// something could not be read.
func writeBaseline(file string, r Report) error {
	out := judge.Baseline{APIVersion: report.APIVersion, Kind: judge.BaselineKind}
	for i := range r.Releases {
		one := &r.Releases[i]
		for _, f := range one.Findings {
			if f.Waived == nil {
				out.Findings = append(out.Findings, f.known(one))
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

// Changes are what has changed since an earlier audit among the releases that are stuck or
// interrupted. They are named as CLUSTER: NAMESPACE/NAME.
type Changes struct {
	// New were not so then, or not there. Gone are so no longer, or not there. Longer are
	// since then, Again were so then and are so since a later time.
	New    []string `json:"new"`
	Gone   []string `json:"gone"`
	Longer []string `json:"longer"`
	Again  []string `json:"again"`
	// Unknown are those whose cluster was not read as a whole, then or now.
	Unknown []string `json:"unknown"`
}

// readReport reads a report that "audit -o json" has written.
func readReport(file string) (Report, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Report{}, err
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return Report{}, fmt.Errorf("read %s: want the output of flux-remedy audit -o json: %w", file, err)
	}
	if r.APIVersion != rules.ConfigAPIVersion || r.Kind != reportKind {
		return Report{}, fmt.Errorf("read %s: want a report of flux-remedy audit -o json", file)
	}
	return r, nil
}

// Compare notes what has changed since an earlier report.
func (r *Report) Compare(file string) error {
	before, err := readReport(file)
	if err != nil {
		return fmt.Errorf("--since: %w", err)
	}
	if !before.chosen().equal(r.chosen()) {
		return fmt.Errorf("--since %s: that audit is of %s, this one of %s", file, before.chosen().orAll(), r.chosen().orAll())
	}
	then, now := before.stuck(), r.stuck()
	c := &Changes{New: []string{}, Gone: []string{}, Longer: []string{}, Again: []string{}, Unknown: []string{}}
	for _, one := range r.Releases {
		_, was := then[one.label()]
		switch {
		case !one.needsSomebody():
		case was && before.Time != "" && one.Since > before.Time:
			c.Again = append(c.Again, one.label())
		case was:
			c.Longer = append(c.Longer, one.label())
		case before.whole(one.Cluster):
			c.New = append(c.New, one.label())
		default:
			c.Unknown = append(c.Unknown, one.label())
		}
	}
	for _, one := range before.Releases {
		switch _, is := now[one.label()]; {
		case is || !one.needsSomebody():
		case r.whole(one.Cluster) || r.has(one.label()):
			c.Gone = append(c.Gone, one.label())
		default:
			c.Unknown = append(c.Unknown, one.label())
		}
	}
	r.Changes = c
	return nil
}

func (r Report) chosen() selection {
	if r.Selection == nil {
		return selection{}
	}
	return *r.Selection
}

// stuck returns the releases that need somebody.
func (r Report) stuck() map[string]Release {
	all := map[string]Release{}
	for _, one := range r.Releases {
		if one.needsSomebody() {
			all[one.label()] = one
		}
	}
	return all
}

func (r Report) has(label string) bool {
	return slices.ContainsFunc(r.Releases, func(one Release) bool { return one.label() == label })
}

// whole reports whether all of a cluster, or of a file, was read.
func (r Report) whole(cluster string) bool {
	if cluster == "" {
		return len(r.Problems) == 0
	}
	return slices.ContainsFunc(r.Clusters, func(c Cluster) bool { return c.Name == cluster && !c.Incomplete })
}

// lines returns the changes as text: which releases are new, gone and not known.
func (c *Changes) lines() []string {
	if c == nil {
		return nil
	}
	lines := []string{fmt.Sprintf("stuck or interrupted since the earlier audit: %d new, %d again, %d longer, %d gone, %d not known", len(c.New), len(c.Again), len(c.Longer), len(c.Gone), len(c.Unknown))}
	for _, part := range []struct {
		what  string
		names []string
	}{{"new", c.New}, {"again", c.Again}, {"longer", c.Longer}, {"gone", c.Gone}, {"not known", c.Unknown}} {
		for i, name := range part.names[:min(len(part.names), most)] {
			if i == 0 {
				lines = append(lines, "  "+part.what)
			}
			lines = append(lines, "    "+name)
		}
		if more := len(part.names) - most; more > 0 {
			lines = append(lines, fmt.Sprintf("    and %d more", more))
		}
	}
	return lines
}
