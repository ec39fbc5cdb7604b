package incident

import (
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Incident is what there is to say of one HelmRelease. Its JSON is read by other
// tools: names stay.
type Incident struct {
	Identity
	Condition
	Prospects
	Surroundings
	// Cause is the setting that made it so; nil if none is to blame.
	Cause *Cause `json:"cause,omitempty"`
	// Outlooks are the forecasts that this is made of.
	Outlooks []forecast.Outlook `json:"outlooks"`

	to Address
}

// Identity is which release it is.
type Identity struct {
	Release release.Name `json:"release"`
	// Cluster is the one of the repository by whose settings it was judged; Others have
	// a release of that name, too. Empty without a repository.
	Cluster string   `json:"cluster,omitempty"`
	Others  []string `json:"others,omitempty"`
}

// Condition is how a release is, and since when.
type Condition struct {
	// Healthy is true if nothing is wrong, Stuck if it takes a human.
	Healthy bool `json:"healthy"`
	Stuck   bool `json:"stuck"`
	// State says what is wrong.
	State string `json:"state"`
	Since string `json:"since,omitempty"` // RFC 3339
	After string `json:"after,omitempty"` // the message of the last failure, 300 characters at most
	// Reconciling is true if Flux has begun to look at it, and has not announced an action.
	Reconciling bool `json:"-"`
}

// Prospects are what comes of a release, and what a human can do.
type Prospects struct {
	// Next says what Flux does next and what comes of it.
	Next []string `json:"next"`
	// Unfamiliar is what its settings and its status say that this program does not know: a newer helm-controller
	// may go on otherwise than is said here.
	Unfamiliar []string `json:"unfamiliar,omitempty"`
	// Deletes says what an uninstall deletes and keeps; empty if that is not asked for, or not known.
	Deletes string `json:"deletes,omitempty"`
	// Revive are what a human can do, the mildest first.
	Revive []Remedy `json:"revive"`
}

// status is what the cluster says of a release.
type status struct{ *release.Live }

// subject is a release with all that is known of it.
type subject struct {
	*release.Release
	status
	to Address
	// now is what its clock says, outlooks what comes of it; the first is likeliest.
	now      time.Time
	outlooks []forecast.Outlook
}

// Of says what is wrong with a release. findings are what rules report of it, commands are for
// the cluster of the address.
func Of(r *release.Release, live *release.Live, findings []rules.Finding, now time.Time, to Address) Incident {
	s := &subject{Release: r, status: status{live}, now: now, to: to}
	s.outlooks = forecast.Outlooks(*r.Settings, r.Controller, live, forecast.Options{})
	for _, o := range s.outlooks {
		for _, ways := range [][]forecast.Way{o.Ways, o.Vain} {
			for i := range ways {
				ways[i].Do = to.Command(ways[i].Do, r)
			}
		}
	}
	incident := Incident{
		Identity:  Identity{Release: release.Name{Namespace: r.Namespace, Name: r.Name}},
		Condition: Condition{Healthy: s.healthy(), Reconciling: s.looks(), Stuck: s.stuck(), State: s.condition() + "; " + s.runs()},
		Prospects: Prospects{Next: s.next(), Revive: s.remedies(), Unfamiliar: forecast.Unfamiliar(live), Deletes: r.Deletes()},
		Outlooks:  s.outlooks, to: to,
	}
	for _, at := range r.Unfamiliar {
		incident.Unfamiliar = append(incident.Unfamiliar, at.String())
	}
	if !incident.Healthy {
		incident.After = shortened(s.after())
		if since := s.since(); !since.IsZero() {
			incident.Since = since.UTC().Format(time.RFC3339)
		}
		incident.Cause = s.cause(findings)
	}
	return incident
}

// Uninstalls reports whether the release may be uninstalled by what Flux does next, or by what revives it.
func (i Incident) Uninstalls() bool {
	step := func(s forecast.Step) bool { return s.Action == forecast.Uninstall }
	way := func(w forecast.Way) bool { return w.Uninstalls || w.Is(uninstalled) }
	return !i.Healthy && slices.ContainsFunc(i.Outlooks, func(o forecast.Outlook) bool {
		return slices.ContainsFunc(slices.Concat(o.Stays.Steps, o.Gone.Steps), step) || len(i.Revive) > 0 && slices.ContainsFunc(o.Ways, way)
	})
}

func (s *subject) likeliest() forecast.Outlook { return s.outlooks[0] }

// healthy reports whether the release is Ready and nothing is left to do.
func (s *subject) healthy() bool {
	return s.is("Ready", "True") && !s.is("Stalled", "True") && !s.is("Reconciling", "True") && !s.Settings.Suspend && !s.Live.Deleting && !s.Live.Behind()
}

// stuck reports whether the release stays as it is until a human does something, in each
// situation that its status allows.
func (s *subject) stuck() bool {
	return !s.healthy() && !s.strange() && !slices.ContainsFunc(s.outlooks, func(o forecast.Outlook) bool { return !unaided(o) })
}

// strange reports whether the controller says of the release what this program does not know.
func (s *subject) strange() bool {
	c := s.Live.Condition("Ready")
	return c != nil && !s.is("Stalled", "True") && (!s.KnownStrategies() || slices.Contains(forecast.Unfamiliar(s.Live), forecast.Reasoned(c)))
}

// unaided reports whether nothing runs in a situation, and nothing comes that helps.
func unaided(o forecast.Outlook) bool { return o.Next.Running == "" && o.Gone.Outcome.NeedsHuman }

func (s status) is(condition, status string) bool {
	c := s.Live.Condition(condition)
	return c != nil && string(c.Status) == status
}

func (s status) reason(condition string) string {
	if c := s.Live.Condition(condition); c != nil {
		return c.Reason
	}
	return ""
}

// after returns the message of what failed last.
func (s status) after() string {
	switch {
	case s.Live.Deleting && s.reason("Released") != "UninstallFailed":
		return ""
	case forecast.Unmet(s.Live):
		return s.Live.Condition("Ready").Message
	}
	return forecast.Failure(s.Live)
}

// since returns when the state began: when Flux gave up, or when what failed last
// first failed so.
func (s status) since() time.Time {
	names := []string{"Stalled", "Released", "Ready"}
	switch {
	case s.Live.Deleting, s.isNew():
		return s.Live.Since
	case forecast.Unmet(s.Live):
		names = []string{"Ready"}
	}
	for _, name := range names {
		if c := s.Live.Condition(name); c != nil && (name != "Released" || c.Status == "False") {
			return c.LastTransitionTime.Time
		}
	}
	return time.Time{}
}
