package incident

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// Remedy is something that a human can do.
type Remedy struct {
	// Do is a command, or what to publish.
	Do string `json:"do"`
	// Risk is what it does besides, or may do.
	Risk string `json:"risk"`
	// Then is what follows once the cause is gone, Otherwise if it is not.
	Then      string `json:"then"`
	Otherwise string `json:"otherwise,omitempty"`

	published bool   // a version, not a command
	when      string // the situations in which it helps; empty: all
}

// versions are the ways that publish another version.
var versions = map[forecast.Event]bool{"fix": true, "revert": true}

// risks are what ways do besides, by their first event.
var risks = map[forecast.Event]string{
	"reconcile":       "none: what Flux does anyway, only sooner",
	"resume":          "small: Flux takes over again, with all retries",
	"force":           "small: one attempt, whatever the spec says",
	"reset":           "small: all retries begin anew",
	"suspend":         "small: as --reset; while it is suspended, nothing is applied",
	"commit":          "small: all retries begin anew",
	"stop-preserving": "small: values that are set only on the cluster are dropped",
	"fix":             "that of the new version",
	"revert":          "small: the new version is taken back",
	"restart":         "medium: interrupts what helm-controller does for other releases",
	"helm-uninstall":  "high: deletes what runs, and the volumes of its templates",
}

// remedies are the ways to revive the release, the mildest first: those of each situation
// that the status allows, so that none is advised that uninstalls where something milder may do.
func (s *subject) remedies() []Remedy {
	all := []Remedy{}
	if s.healthy() || s.likeliest().Next.Running != "" || s.looks() || s.likeliest().Stays.Outcome.End == forecast.Waiting || s.isNew() && !s.Settings.Suspend {
		return all
	}
	var ways []forecast.Way
	for _, o := range s.outlooks {
		for _, way := range o.Ways {
			if !slices.ContainsFunc(ways, func(w forecast.Way) bool { return slices.Equal(w.Events, way.Events) }) {
				ways = append(ways, way)
			}
		}
	}
	for _, way := range forecast.MildestFirst(ways) {
		when := s.helpsIf(way)
		all = append(all, Remedy{
			Do: way.Do, Risk: s.risk(way, when), Then: way.Then, Otherwise: way.Otherwise, published: versions[way.Events[0]], when: when,
		})
	}
	return all
}

// uninstalled is the event after which nothing of a release is left.
const uninstalled forecast.Event = "helm-uninstall"

func (s *subject) helpsIf(way forecast.Way) string {
	var when []string
	for _, o := range s.outlooks {
		if slices.ContainsFunc(o.Ways, func(w forecast.Way) bool { return slices.Equal(w.Events, way.Events) }) {
			when = append(when, o.Assumed)
		}
	}
	if len(when) == len(s.outlooks) {
		return ""
	}
	return strings.Join(when, ", or if ")
}

// risk says what a way does besides, and when it helps.
func (s *subject) risk(way forecast.Way, when string) string {
	risk := risks[way.Events[0]]
	if way.Restores {
		risk = "small: what is on the cluster is rolled back, and nothing else"
	}
	last, deletes := way.Events[0] == uninstalled, s.Deletes()
	switch {
	case way.Uninstalls && !last && deletes != "":
		risk += "; if it fails again, the release is uninstalled, which " + deletes
	case way.Uninstalls && !last:
		risk += "; if it fails again, the release is uninstalled"
	case last && deletes != "":
		risk = "high: deletes what runs: it " + deletes
	}
	if last && remote(s.Release) {
		risk += "; KUBECONFIG is that of the cluster that spec.kubeConfig names"
	}
	if when != "" {
		risk += "; only if " + when
	}
	return risk
}
