package overview

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules"
)

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
