package overview

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// mergeSpan is how far reports that are merged may be apart in time: one that is older is of an
// earlier run.
const mergeSpan = time.Hour

// Merge makes one report of those of several files, or of the JSON files of folders. What is
// missing is a problem: a shard that is in no file, one that is old, and a policy that is not that of the others.
func Merge(names []string) (Report, error) {
	files, err := reports(names)
	if err != nil {
		return Report{}, err
	}
	times, from, shards, out := map[string]string{}, map[string]string{}, map[string]bool{}, Report{}
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
			out.Selection, out.InForce, out.Time = r.Selection, r.InForce, r.Time
		case !r.chosen().equal(out.chosen()):
			return Report{}, fmt.Errorf("merge %s: it is of %s, %s of %s", file, r.chosen().orAll(), files[0], out.chosen().orAll())
		case r.InForce != out.InForce:
			out.Problems = append(out.Problems, fmt.Sprintf("%s is judged by %s, %s by %s: their findings do not compare", files[0], out.InForce, file, r.InForce))
		}
		for _, c := range r.Clusters {
			if from[c.Name] != "" {
				return Report{}, fmt.Errorf("merge %s: cluster %s is in %s, too", file, c.Name, from[c.Name])
			}
			from[c.Name] = file
		}
		if out.Time == "" || r.Time < out.Time {
			out.Time = r.Time
		}
		times[file], shards[r.Shard] = r.Time, true
		out.Releases, out.Clusters, out.Missing = append(out.Releases, r.Releases...), append(out.Clusters, r.Clusters...), append(out.Missing, r.Missing...)
		out.Roots, out.Problems = append(out.Roots, r.Roots...), append(out.Problems, r.Problems...)
		out.Undetermined = max(out.Undetermined, r.Undetermined)
		out.Summary.Known, out.Summary.Of = out.Summary.Known+r.Summary.Known, out.Summary.Of+r.Summary.Of
	}
	absent, err := absentOf(shards)
	if err != nil {
		return Report{}, err
	}
	InOrder(out.Clusters, out.Problems, out.Missing)
	slices.SortStableFunc(out.Roots, func(a, b Root) int { return strings.Compare(a.Cluster, b.Cluster) })
	counted := Of(out.Releases, out.Clusters, append([]string{}, slices.Concat(out.Problems, absent, outdated(times))...))
	counted.Summary.Known, counted.Summary.Of = out.Summary.Known, out.Summary.Of
	counted.Time, counted.Selection, counted.InForce, counted.Roots, counted.InGit = out.Time, out.Selection, out.InForce, out.Roots, out.InGit
	return counted, nil
}

// reports returns the files that are named, and those of folders.
func reports(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		if info, err := os.Stat(name); err != nil || !info.IsDir() {
			files = append(files, name) // an error is told by whoever reads it
			continue
		}
		found, err := filepath.Glob(filepath.Join(name, "*.json"))
		if err != nil || len(found) == 0 {
			return nil, fmt.Errorf("merge %s: the folder holds no .json files", name)
		}
		files = append(files, found...)
	}
	return files, nil
}

// outdated says which reports are older than the latest by more than may be.
func outdated(times map[string]string) []string {
	latest := time.Time{}
	for _, text := range times {
		if at, err := time.Parse(time.RFC3339, text); err == nil && at.After(latest) {
			latest = at
		}
	}
	var all []string
	for _, file := range slices.Sorted(maps.Keys(times)) {
		if at, err := time.Parse(time.RFC3339, times[file]); err == nil && latest.Sub(at) > mergeSpan {
			all = append(all, fmt.Sprintf("%s is of %s, more than %s before the latest: its clusters may be otherwise now", file, utc(times[file]), short(mergeSpan)))
		}
	}
	return all
}

// InOrder sorts what is known of several clusters, so that it does not depend on who asked
// them, and when.
func InOrder(clusters []Cluster, problems []string, missing []Missing) {
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
