package incident

import (
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

	published bool // a version, not a command
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

// remedies are the ways to revive the release, the mildest first. Those that the
// likeliest situation has are taken.
func (s *subject) remedies() []Remedy {
	all := []Remedy{}
	if s.healthy() || s.likeliest().Next.Running != "" || s.likeliest().Stays.Outcome.End == forecast.Waiting || s.isNew() && !s.Settings.Suspend {
		return all
	}
	name := forecast.Argument(s.Name, "NAME") + " -n " + forecast.Argument(s.Namespace, "NAMESPACE")
	for _, way := range s.likeliest().Ways {
		way = way.Named(name)
		risk := risks[way.Events[0]]
		if way.Uninstalls && way.Events[0] != "helm-uninstall" {
			risk += "; if it fails again, the release is uninstalled"
		}
		if way.Events[0] == "helm-uninstall" && s.likeliest().Assumed != "" {
			risk += "; only if " + s.likeliest().Assumed
		}
		all = append(all, Remedy{Do: way.Do, Risk: risk, Then: way.Then, Otherwise: way.Otherwise, published: versions[way.Events[0]]})
	}
	return all
}
