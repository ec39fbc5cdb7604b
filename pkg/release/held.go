package release

import (
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

// Minor is a minor version of helm-controller.
type Minor struct {
	Version string // 1.6
	Flux    string // the minor version of Flux with it
}

// Minors lists the minor versions since 1.0, the oldest first.
var Minors = []Minor{{"1.0", "2.3"}, {"1.1", "2.4"}, {"1.2", "2.5"}, {"1.3", "2.6"}, {"1.4", "2.7"}, {"1.5", "2.8"}, {"1.6", "2.9"}, {"1.7", "2.10"}}

// Has reports whether a version is one of the minor version.
func (m Minor) Has(version string) bool { return strings.HasPrefix(version, m.Version+".") }

// HeldVersion is a version of helm-controller that was run, and whose runs forecasts are
// compared with.
type HeldVersion struct {
	Version string
	Runs    int
	Date    string // of the run
	How     string // it was run
}

const (
	asProcess    = "as a process on a real API server"
	asReconciler = "44 as a process on a real API server, the others as its reconciler with a fake client"
)

// HeldVersions lists them, the oldest first. The runs are in testdata/forecast.
var HeldVersions = []HeldVersion{
	{"1.4.0", 338, "2026-11-22", asProcess},
	{"1.4.3", 336, "2026-11-22", asProcess},
	{"1.6.3", 3084, "2026-11-20", asReconciler},
	{"1.6.4", 336, "2026-11-22", asProcess},
}

// NewestAPI is the newest version of helm-controller whose definition of HelmRelease is known:
// what the API has and takes. No controller of it was run, unless [HeldVersions] has it.
const NewestAPI = "1.7.1"

// NewestRead returns the newest version of helm-controller whose source forecasts follow: it was run.
func NewestRead() string { return HeldVersions[len(HeldVersions)-1].Version }

// Held reports whether forecasts are compared with runs of this version.
func (c Controller) Held() bool {
	return slices.ContainsFunc(HeldVersions, func(h HeldVersion) bool { return semver.Compare("v"+h.Version, "v"+c.version()) == 0 })
}

// KnowsSchema reports whether it is known what the API server accepts: its definition is, or
// the version of the controller, and that is not newer than those that are known here.
func (c Controller) KnowsSchema() bool {
	newest := Minors[len(Minors)-1].Version
	return c.Schema != nil || !c.Assumed && semver.Compare(semver.MajorMinor("v"+c.version()), "v"+newest) <= 0
}
