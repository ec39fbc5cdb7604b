package incident

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Surroundings are what a release has to do with others of its cluster.
type Surroundings struct {
	// Rivals are other HelmReleases, among those that were read, with the same Helm release.
	Rivals []release.Name `json:"rivals,omitempty"`
	// HeldUpBy are the chains to what holds it up, HoldsUp is what it holds up itself; absent if nothing, or if
	// Kustomizations are not known.
	HeldUpBy []standstill.Chain `json:"heldUpBy,omitempty"`
	HoldsUp  *standstill.Held   `json:"holdsUp,omitempty"`
	// StandingUnknown says why that is not known; absent if it is.
	StandingUnknown string `json:"standingUnknown,omitempty"`
}

// Stands notes what holds up a release among the objects of its cluster, and what it holds up; or why
// that is not known, as they were not read.
func (s *Surroundings) Stands(of release.Name, in *standstill.Cluster, unlisted error) {
	if unlisted != nil {
		s.StandingUnknown = unlisted.Error()
	}
	if in == nil {
		return
	}
	s.HeldUpBy = in.Above(of)
	if below := in.Below(of); below.Len() > 0 {
		s.HoldsUp = &below
	}
}

// mostNamed is how many objects a line names.
const mostNamed = 4

// Standing are the lines on what the release has to do with others: which it fights, what holds it up, and what it
// holds up.
func (s Surroundings) Standing(healthy bool) []Line {
	var all []Line
	if text := fights(s.Rivals); text != "" {
		all = append(all, Line{Label: "fights", Text: text})
	}
	if s.StandingUnknown != "" && !healthy {
		all = append(all, Line{Label: "unknown", Text: "what holds it up, and what it holds up: " + s.StandingUnknown})
	}
	for n, c := range s.HeldUpBy[:min(len(s.HeldUpBy), mostNamed)] {
		label := words.Once(n, "held")
		text := c.String()
		if n > 0 {
			text = "and " + text
		}
		line := Line{Label: label, Text: text}
		if !c.Direct() {
			line.Effect = "it " + c.Path
		}
		all = append(all, line)
	}
	if more := len(s.HeldUpBy) - mostNamed; more > 0 {
		all = append(all, Line{Text: fmt.Sprintf("and by %d more", more)})
	}
	if s.HoldsUp == nil {
		return all
	}
	return append(all, Line{Label: "holds", Text: "up " + s.HoldsUp.String() + ": " + words.First(s.HoldsUp.Names(), mostNamed, "")})
}

// afterwards are the lines on what is left to do once the release is Ready.
func (i Incident) afterwards() []Line {
	if i.HoldsUp == nil {
		return nil
	}
	var all []Line
	for n, late := range i.HoldsUp.After {
		all = append(all, Line{Label: words.Once(n, "then"), Text: i.to.At(late.Command()), Effect: "else it stays not Ready until it looks again, within " + forecast.Readable(late.Retry.Duration)})
	}
	return all
}

// Claim is which Helm release a HelmRelease has.
type Claim struct {
	release.Name
	// Helm is the Helm release: its name, and the namespace of its records.
	Helm release.Name
	// Remote is what names the cluster of it, as Secret apps/prod; empty if that is the one of the
	// HelmRelease.
	Remote string
}

// ClaimOf returns which Helm release a HelmRelease has. One that is suspended fights with none:
// it has none.
func ClaimOf(r *release.Release) (Claim, bool) {
	c := Claim{
		Name: release.Name{Namespace: r.Namespace, Name: r.Name},
		Helm: release.Name{Namespace: r.Settings.Target.StorageNamespace, Name: r.Settings.Target.Name},
	}
	for field, kind := range map[string]string{"secretRef": "Secret", "configMapRef": "ConfigMap"} {
		if ref := object.At(r.Object, "spec", "kubeConfig", field); ref != nil {
			c.Remote = kind + " " + release.Name{Namespace: r.Namespace, Name: object.String(ref, "name")}.String()
		}
	}
	return c, !r.Settings.Suspend
}

// Rivals returns for each HelmRelease of a cluster the others that have the same Helm release:
// each finds what another one has made, and upgrades it again. A HelmRelease counts once.
func Rivals(all []Claim) map[release.Name][]release.Name {
	type home struct {
		remote string
		helm   release.Name
	}
	homes := map[home]map[release.Name]bool{}
	for _, c := range all {
		at := home{c.Remote, c.Helm}
		if homes[at] == nil {
			homes[at] = map[release.Name]bool{}
		}
		homes[at][c.Name] = true
	}
	rivals := map[release.Name][]release.Name{}
	for _, set := range homes {
		names := slices.SortedFunc(maps.Keys(set), func(a, b release.Name) int { return cmp.Compare(a.String(), b.String()) })
		for i, name := range names {
			if others := append(names[:i:i], names[i+1:]...); len(others) > 0 {
				rivals[name] = others
			}
		}
	}
	return rivals
}

// mostRivals is how many HelmReleases of one Helm release are named.
const mostRivals = 3

// fights says which HelmReleases have the same Helm release; empty if there are none.
func fights(all []release.Name) string {
	if len(all) == 0 {
		return ""
	}
	who := words.First(words.Of(all, release.Name.String), mostRivals, "")
	have := "have"
	if len(all) == 1 {
		have = "has"
	}
	return who + " " + have + " the same Helm release: each undoes what the other does, until one of them is removed or gets another releaseName"
}
