package audit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Merge makes one report of those of several files. What is missing is a problem: a shard that
// is in no file, and a policy that is not that of the others.
func Merge(files []string) (Report, error) {
	var all []Release
	var clusters []Cluster
	var missing []Missing
	var first Report
	from, shards, problems := map[string]string{}, map[string]bool{}, []string{}
	known, of, at := 0, 0, ""
	for i, file := range files {
		r, err := readReport(file)
		if err != nil {
			return Report{}, err
		}
		switch {
		case r.Readiness != nil:
			return Report{}, fmt.Errorf("merge %s: a report of --readiness cannot be merged", file)
		case r.Clusters == nil && r.Shard == "":
			return Report{}, fmt.Errorf("merge %s: it is of no cluster", file)
		case i == 0:
			first = r
		case !r.chosen().equal(first.chosen()):
			return Report{}, fmt.Errorf("merge %s: it is of %s, %s of %s", file, r.chosen().orAll(), files[0], first.chosen().orAll())
		case r.InForce != first.InForce:
			problems = append(problems, fmt.Sprintf("%s is judged by %s, %s by %s: their findings do not compare", files[0], first.InForce, file, r.InForce))
		}
		if at == "" || r.Time < at {
			at = r.Time
		}
		for _, c := range r.Clusters {
			if from[c.Name] != "" {
				return Report{}, fmt.Errorf("merge %s: cluster %s is in %s, too", file, c.Name, from[c.Name])
			}
			from[c.Name] = file
		}
		shards[r.Shard] = true
		all, clusters, missing = append(all, r.Releases...), append(clusters, r.Clusters...), append(missing, r.Missing...)
		problems = append(problems, r.Problems...)
		first.Undetermined = max(first.Undetermined, r.Undetermined)
		known += r.Summary.Known
		of += r.Summary.Of
	}
	absent, err := absentOf(shards)
	if err != nil {
		return Report{}, err
	}
	inOrder(clusters, problems, missing)
	merged := newReport(all, clusters, append(problems, absent...))
	merged.Time, merged.Selection, merged.Summary.Of = at, first.Selection, of
	merged.InForce, merged.Missing, merged.Undetermined, merged.Summary.Known = first.InForce, missing, first.Undetermined, known
	return merged, nil
}

// inOrder sorts what is known of several clusters, so that it does not depend on who asked
// them, and when.
func inOrder(clusters []Cluster, problems []string, missing []Missing) {
	slices.SortFunc(clusters, func(a, b Cluster) int { return strings.Compare(a.Name, b.Name) })
	slices.SortStableFunc(missing, func(a, b Missing) int { return strings.Compare(a.Cluster, b.Cluster) })
	slices.Sort(problems)
}

// absentOf says which shards are missing among some; an empty one is a report of all clusters.
func absentOf(shards map[string]bool) ([]string, error) {
	count, absent := 0, []string{}
	for text := range shards {
		var s Shard
		switch err := s.Set(text); {
		case text == "" && len(shards) == 1:
			return nil, nil
		case text == "", err == nil && count > 0 && s.count != count:
			return nil, errors.New("merge: the reports are not of the same shards: want the same COUNT in all")
		case err != nil:
			return nil, fmt.Errorf("merge: shard %q: %w", text, err)
		}
		count = s.count
	}
	for i := range count {
		if s := (&Shard{i, count}).String(); !shards[s] {
			absent = append(absent, "shard "+s+" is missing: its clusters are not in the report")
		}
	}
	return absent, nil
}
