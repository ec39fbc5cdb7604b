package audit

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/page"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
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
	return page.Parse(template.FuncMap{"join": strings.Join}, pageTemplate)
})

// sheet is what the page shows of a report as HTML. Its releases are data, which the page's
// script makes rows of when they are looked at.
type sheet struct {
	Report
	Frame   page.Frame
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
		Report: r, Frame: r.frame(version), Tiles: r.tiles(), Ages: r.ages(), Changed: r.Changes.lines(),
		Fights: r.fights(), Git: r.drift(), Rules: r.byRule(),
	}
	s.Roots = words.Of(r.Roots, Root.lines)
	s.Drawn, s.More = firstOf(r.drawnClusters(), mostDrawn)
	var causes []Cause
	causes, s.MoreOf = firstOf(r.Causes, mostShared)
	s.Shared = words.Of(causes, Cause.String)
	data := pageData{Time: r.Time, Phases: phases, Releases: r.Releases, Causes: causes}
	data.Ages = words.Of(bounds, time.Duration.Seconds)
	var err error
	if s.Data, err = page.Pack(data); err != nil {
		return err
	}
	return pages().Execute(w, s)
}

// frame is what stands around the page.
func (r Report) frame(version string) page.Frame {
	about := "HelmReleases"
	if n := len(r.Clusters); n == 1 && r.Clusters[0].Name != "" {
		about += " of cluster " + r.Clusters[0].Name
	} else if n > 1 {
		about += fmt.Sprintf(" of %d clusters", n)
	}
	if chosen := r.chosen(); chosen.narrow() {
		about += ", only " + chosen.String() + ","
	}
	if r.Time != "" {
		about += " at " + utc(r.Time)
	}
	return page.New(page.Frame{
		Title: fmt.Sprintf("%d stuck, %d interrupted", r.Summary.ByPhase[Stuck], r.Summary.ByPhase[Interrupted]), About: about, Version: version,
		Top: "releases", Search: "name, cluster, message, chart", Sorted: "phase",
		Filters: []page.Choice{
			{Name: "cluster", Label: "Cluster"},
			{Name: "tier", Label: "Tier"},
			{Name: "phase", Label: "Phase"},
			{Name: "age", Label: "Age"},
			{Name: "severity", Label: "Severity"},
			{Name: "rule", Label: "Rule"},
			{Name: "cause", Label: "Cause"},
		},
		Columns: []page.Choice{
			{Name: "name", Label: "Release"},
			{Name: "cluster", Label: "Cluster"},
			{Name: "tier", Label: "Tier"},
			{Name: "phase", Label: "Phase"},
			{Name: "since", Label: "Since"},
		},
	}, pageStyle, pageScript)
}

// utc returns a time of RFC 3339 as people read it.
func utc(text string) string {
	return strings.NewReplacer("T", " ", "Z", " UTC").Replace(text)
}

func firstOf[T any](all []T, most int) (first []T, more int) {
	n := min(len(all), most)
	return all[:n], len(all) - n
}
