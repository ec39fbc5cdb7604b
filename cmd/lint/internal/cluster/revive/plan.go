package revive

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Step is what is planned for a release, and what came of it.
type Step struct {
	Release release.Name `json:"release"`
	// Ready is true if nothing has to be done.
	Ready bool `json:"ready"`
	// State says how it is.
	State string `json:"state"`
	// Do is the command of Flux that does the same; absent if nothing is done.
	Do string `json:"do,omitempty"`
	// Then and Otherwise are what follows once the cause is gone, and while it stays.
	Then      string `json:"then,omitempty"`
	Otherwise string `json:"otherwise,omitempty"`
	// Risk is what it does besides.
	Risk string `json:"risk,omitempty"`
	// Left says why nothing is done; absent if something is.
	Left string `json:"left,omitempty"`
	// First are releases that it depends on and that are not Ready: until they are, a request is lost.
	First []release.Name `json:"first,omitempty"`
	// HoldsUp is what waits for it; absent if nothing does, or if Kustomizations are not known.
	HoldsUp *standstill.Held `json:"holdsUp,omitempty"`
	// Afterwards are the commands that have Kustomizations look at it at once, in this order; without them they
	// wait for their retry interval.
	Afterwards []string `json:"afterwards,omitempty"`
	// Result and Message are what came of it; absent of what was only planned.
	Result  Result `json:"result,omitempty"`
	Message string `json:"message,omitempty"`

	request  request
	rank     int  // how many steps come before it, one after the other
	restores bool // the version from before, and no more
}

// plan returns what to do about a release.
func plan(j incident.Judged) Step {
	i := j.Incident
	s := Step{Release: i.Release, State: i.State, Ready: i.Healthy}
	switch {
	case j.Live.Deleting:
		s.Left = "it is being deleted"
	case j.Settings.Suspend:
		s.Left = "it is suspended; whoever did that takes it up again: " + j.Command("flux resume helmrelease NAME")
	case i.Healthy:
		s.Left = "it is Ready"
	case j.Live.Requested, j.Live.Force, j.Live.Reset:
		s.Left = "helm-controller has not handled an earlier request yet"
	case !i.Stuck:
		s.Left = "Flux goes on by itself: " + i.Next[0]
		switch {
		case strings.Contains(i.Next[0], incident.Overdue):
			s.Left = strings.Join(i.Next, "; ")
		case i.Unaided():
			s.Left = "Flux may go on by itself: " + strings.Join(i.Next, "; ")
		}
	default:
		s.act(i)
	}
	return s
}

func (s *Step) act(i incident.Incident) {
	chosen, way, ok := choose(i.Outlooks)
	switch {
	case ok:
		s.request, s.restores = chosen, way.Restores
		s.Do, s.Then, s.Otherwise = way.Do, way.Then, way.Otherwise
		for _, r := range i.Revive {
			if r.Do == way.Do {
				s.Risk = r.Risk
			}
		}
	case len(i.Revive) == 0:
		s.Left = "nothing that is known helps"
	default:
		s.Left = fmt.Sprintf("no request helps, but this does: %s; risk %s", i.Revive[0].Do, i.Revive[0].Risk)
	}
}
