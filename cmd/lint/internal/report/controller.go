package report

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/semver"

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

// controllers lists the controllers of releases, each once.
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
	clusters := map[string][]string{} // by what is said of them
	var said []string
	say := func(text, cluster string) {
		if clusters[text] == nil {
			said = append(said, text)
		}
		if !slices.Contains(clusters[text], cluster) {
			clusters[text] = append(clusters[text], cluster)
		}
	}
	for _, c := range all {
		if !c.Known {
			say("assuming helm-controller "+strings.TrimPrefix(semver.MajorMinor("v"+c.Version), "v")+".x%s: "+c.reason()+"; spec.controller.version sets it", c.Cluster)
		}
		for _, note := range c.Notes {
			say("controller%s: "+note, c.Cluster)
		}
	}
	out := make([]string, len(said))
	for i, text := range said {
		out[i] = strings.Replace(text, "%s", inClusters(clusters[text]), 1)
	}
	return out
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
	named := slices.DeleteFunc(slices.Clone(all), func(name string) bool { return name == "" })
	if len(named) == 0 || len(named) < len(all) {
		return ""
	}
	if len(named) == 1 {
		return fmt.Sprintf(" in cluster %q", named[0])
	}
	text := " in " + plural(len(named), "cluster") + " " + strings.Join(named[:min(most, len(named))], ", ")
	if len(named) > most {
		text += fmt.Sprintf(" and %d more", len(named)-most)
	}
	return text
}
