package overview

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
)

var (
	//go:embed page/page.html
	pageTemplate string
	//go:embed page/page.css
	pageStyle string
	//go:embed page/page.js
	pageScript string
)

// pages are parsed only for a report that is one: most runs write none.
var pages = sync.OnceValue(func() *template.Template {
	return document.ParsePage(template.FuncMap{"join": strings.Join}, pageTemplate)
})

// sheet is what the page shows of a report as HTML. Its releases are data, which the page's
// script makes rows of when they are looked at.
type sheet struct {
	Report
	Frame   document.Frame
	Tiles   []tile
	Ages    []age
	Drawn   []drawnCluster
	More    int      // clusters that are not drawn
	Roots   []string // in place of those of the report
	Shared  []string
	MoreOf  int // causes that are not listed
	Changed []string
	Fights  []string
	Git     []string
	Rules   []group
	Data    template.JS
}

// tile is how many releases are in a phase.
type tile struct {
	Phase Phase
	N     int
}

type pageData struct {
	Time     string    `json:"time"`
	Phases   []Phase   `json:"phases"`
	Releases []Release `json:"releases"`
	Causes   []Cause   `json:"causes"`
	// Ages are the bounds of ages in seconds, without that of the oldest.
	Ages []float64 `json:"ages"`
}

// How much is listed. What is not can be searched.
const (
	mostDrawn  = 200 // clusters
	mostShared = 50  // causes
)

// writeHTML writes one page that needs nothing else.
func writeHTML(w io.Writer, r Report, version string) error {
	s := sheet{
		Report: r, Frame: frame(r, version), Tiles: tiles(r), Ages: ages(r), Changed: r.Changes.lines(),
		Fights: r.fights(), Git: r.drift(), Rules: r.byRule(),
	}
	s.Roots = words.Of(r.Roots, func(root Root) string { return root.String() + ": " + root.named() })
	s.Drawn, s.More = firstOf(drawnClusters(r), mostDrawn)
	var causes []Cause
	causes, s.MoreOf = firstOf(r.Causes, mostShared)
	s.Shared = words.Of(causes, Cause.String)
	data := pageData{Time: r.Time, Phases: phases, Releases: r.Releases, Causes: causes}
	data.Ages = words.Of(bounds, time.Duration.Seconds)
	var err error
	if s.Data, err = document.Pack(data); err != nil {
		return err
	}
	return pages().Execute(w, s)
}

// frame is what stands around the page.
func frame(r Report, version string) document.Frame {
	about := "HelmReleases"
	if n := len(r.Clusters); n == 1 && r.Clusters[0].Name != "" {
		about += " of cluster " + r.Clusters[0].Name
	} else if n > 1 {
		about += fmt.Sprintf(" of %d clusters", n)
	}
	if chosen := r.chosen(); chosen.Narrow() {
		about += ", only " + chosen.String() + ","
	}
	if r.Time != "" {
		about += " at " + utc(r.Time)
	}
	return document.NewFrame(document.Frame{
		Title: fmt.Sprintf("%d stuck, %d interrupted", r.Summary.ByPhase[Stuck], r.Summary.ByPhase[Interrupted]), About: about, Version: version,
		Top: "releases", Search: "name, cluster, message, chart", Sorted: "phase",
		Filters: document.Choices("cluster", "Cluster", "tier", "Tier", "phase", "Phase", "age", "Age", "severity", "Severity", "rule", "Rule", "cause", "Cause"),
		Columns: document.Choices("name", "Release", "cluster", "Cluster", "tier", "Tier", "phase", "Phase", "since", "Since"),
	}, pageStyle, pageScript)
}

func firstOf[T any](all []T, most int) (first []T, more int) {
	n := min(len(all), most)
	return all[:n], len(all) - n
}

// tiles count the phases: those that matter always, others where there are any.
func tiles(r Report) []tile {
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
	Parts []document.Part[Phase]
}

// ages count the releases that are not well by how long they have been so, the oldest first.
func ages(r Report) []age {
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
		all = append(all, age{Index: i, Label: ageLabel(i), N: sum(by), Parts: document.Bar(phases, by, most)})
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

// drawnCluster is a cluster with its phases as a bar.
type drawnCluster struct {
	Cluster
	Parts []document.Part[Phase]
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
func drawnClusters(r Report) []drawnCluster {
	all := words.Of(r.Clusters, func(c Cluster) drawnCluster {
		return drawnCluster{c, document.Bar(phases, c.ByPhase, max(c.Releases, 1))}
	})
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
