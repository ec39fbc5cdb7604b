package report

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// HelmController is the helm-controller that acts on releases of a cluster.
type HelmController struct {
	// Cluster is empty if unknown.
	Cluster string `json:"cluster"`
	Version string `json:"version"`
	// Known is false if the version is only assumed: nothing says which one is running.
	Known bool          `json:"known"`
	Gates release.Gates `json:"gates"`
	// From names what says so, or why the version is not known; empty if nothing in the
	// repository installs Flux.
	From string `json:"from"`
	// Notes say what contradicts.
	Notes []string `json:"notes,omitempty"`
}

func (c HelmController) equal(o HelmController) bool {
	return c.Cluster == o.Cluster && c.Version == o.Version && c.Known == o.Known && c.From == o.From && fmt.Sprint(c.Gates) == fmt.Sprint(o.Gates)
}

func controllers(releases []Release) []HelmController {
	var out []HelmController
	for _, r := range releases {
		if r.HelmController.Version != "" && !slices.ContainsFunc(out, r.HelmController.equal) {
			out = append(out, r.HelmController)
		}
	}
	return out
}

// controllerRemarks say which versions are assumed, and what contradicts.
func controllerRemarks(all []HelmController) []string {
	type remark struct{ text, cluster string }
	var remarks []remark
	for _, c := range all {
		if !c.Known {
			minor := strings.TrimPrefix(semver.MajorMinor("v"+c.Version), "v")
			remarks = append(remarks, remark{"assuming helm-controller " + minor + ".x%s: " + c.reason() + "; spec.controller.version sets it", c.Cluster})
		}
		if c.Known && !(release.Controller{Version: c.Version}).Modelled() {
			remarks = append(remarks, remark{"forecasts follow helm-controller 0.37: " + c.Version + "%s sets no condition Stalled, read it as no retries left", c.Cluster})
		}
		for _, note := range c.Notes {
			remarks = append(remarks, remark{"controller%s: " + note, c.Cluster})
		}
	}
	return words.Of(words.Alike[[]remark](remarks, func(r remark) string { return r.text }), func(of []remark) string {
		return strings.Replace(of[0].text, "%s", inClusters(words.Of(of, func(r remark) string { return r.cluster })), 1)
	})
}

func (c HelmController) reason() string {
	if c.From == "" {
		return "not found in the repository"
	}
	return c.From
}

// inClusters names some clusters, for the middle of a sentence; those without a name are
// left out.
func inClusters(all []string) string {
	const most = 5
	all = union(all, nil)
	switch {
	case len(all) == 0 || all[0] == "":
		return ""
	case len(all) == 1:
		return fmt.Sprintf(" in cluster %q", all[0])
	}
	return " in clusters " + words.First(all, most, "")
}
