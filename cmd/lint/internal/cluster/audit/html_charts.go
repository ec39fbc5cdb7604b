package audit

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

// tiles count the phases: those that matter always, others where there are any.
func (r Report) tiles() []tile {
	var all []tile
	for _, p := range phases {
		if n := r.Summary.ByPhase[p]; n > 0 || slices.Contains([]Phase{Stuck, Interrupted, Failing, Waiting, Ready}, p) {
			all = append(all, tile{p, n})
		}
	}
	return all
}

// bounds of the ages that the chart tells apart.
var bounds = []time.Duration{5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour, 24 * time.Hour, 7 * 24 * time.Hour}

// age is how many releases are as they are since some time.
type age struct {
	Index int
	Label string
	N     int
	Parts []part
}

// part is a part of a bar: its place is of 100.
type part struct {
	Phase   Phase
	N       int
	At, Len float64
}

// Top is where the part of a column begins, whose first part stands on the ground.
func (p part) Top() float64 { return 100 - p.At - p.Len }

// ages count the releases that are not well by how long they have been so, the oldest first.
func (r Report) ages() []age {
	now, err := time.Parse(time.RFC3339, r.Time)
	if err != nil {
		return nil
	}
	counts := make([]map[Phase]int, len(bounds)+1)
	most := 0
	for _, one := range r.unwell() {
		since, err := time.Parse(time.RFC3339, one.Since)
		if err != nil {
			continue
		}
		i := slices.IndexFunc(bounds, func(d time.Duration) bool { return now.Sub(since) < d })
		if i < 0 {
			i = len(bounds)
		}
		if counts[i] == nil {
			counts[i] = map[Phase]int{}
		}
		counts[i][one.Phase]++
		most = max(most, sum(counts[i]))
	}
	if most == 0 {
		return nil
	}
	var all []age
	for i, by := range slices.Backward(counts) {
		all = append(all, age{Index: i, Label: ageLabel(i), N: sum(by), Parts: parts(by, most)})
	}
	return all
}

func ageLabel(i int) string {
	switch i {
	case 0:
		return "under " + short(bounds[0])
	case len(bounds):
		return "over " + short(bounds[i-1])
	}
	return short(bounds[i-1]) + " – " + short(bounds[i])
}

// short returns a duration in its greatest unit.
func short(d time.Duration) string {
	switch day := 24 * time.Hour; {
	case d >= day:
		return fmt.Sprintf("%dd", d/day)
	case d >= time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return forecast.Readable(d)
}

func sum(by map[Phase]int) int {
	n := 0
	for _, count := range by {
		n += count
	}
	return n
}

// parts divide a bar of 100 for a number of releases, the worst phase first.
func parts(by map[Phase]int, whole int) []part {
	var all []part
	at := 0.0
	for _, p := range phases {
		if n := by[p]; n > 0 {
			length := 100 * float64(n) / float64(whole)
			all = append(all, part{p, n, at, length})
			at += length
		}
	}
	return all
}

// drawnCluster is a cluster with its phases as a bar.
type drawnCluster struct {
	Cluster
	Parts []part
}

// Stuck counts the releases that need somebody.
func (c drawnCluster) Stuck() int { return c.ByPhase[Stuck] + c.ByPhase[Interrupted] }

// Label names the phases of the bar.
func (c drawnCluster) Label() string {
	if c.Releases == 0 {
		return "no releases"
	}
	return counted(c.Releases, c.ByPhase)
}

// drawnClusters are all clusters, the worst first.
func (r Report) drawnClusters() []drawnCluster {
	all := words.Of(r.Clusters, func(c Cluster) drawnCluster { return drawnCluster{c, parts(c.ByPhase, max(c.Releases, 1))} })
	unread := func(c drawnCluster) int {
		if c.Incomplete {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b drawnCluster) int {
		return cmp.Or(cmp.Compare(unread(a), unread(b)), cmp.Compare(b.Stuck(), a.Stuck()), cmp.Compare(b.ByPhase[Failing], a.ByPhase[Failing]), cmp.Compare(a.Name, b.Name))
	})
	return all
}
