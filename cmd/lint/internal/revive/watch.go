package revive

import (
	"context"
	"fmt"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
)

// watch waits until the attempts after a request are over, and says what came of them.
func (r *runner) watch(ctx context.Context, s Step, at string) (result, string) {
	began := r.now()
	for {
		_, now, err := r.look(ctx, s.Release)
		if err != nil {
			return unknown, err.Error()
		}
		if what, text := after(now, s, at); what != unfinished {
			return what, text
		} else if r.now().Sub(began) > r.wait {
			return unfinished, text
		}
		select {
		case <-ctx.Done():
			return unfinished, "it is no longer watched"
		case <-time.After(r.pause):
		}
	}
}

// after says what has come of a request so far. The conditions are written before the rest
// of the status, so that none is believed before the controller says that it has seen
// the request.
func after(j incident.Judged, s Step, at string) (result, string) {
	i := j.Incident
	switch {
	case !seen(j.Live, at):
		return unfinished, "helm-controller has not ended a reconcile since the request"
	case i.Healthy:
		return revived, "it is Ready"
	case s.request.handled(&j.Live.Status) != at:
		return failed, fmt.Sprintf("the request was lost, since the release is %s%s", i.State, message(i))
	case i.Stuck:
		return failed, "it is " + i.State + message(i)
	case i.Outlooks[0].Next.Running == "" && i.Outlooks[0].Stays.Outcome.Endless():
		return failed, "it is " + i.State + message(i)
	}
	return unfinished, "it is " + i.State
}

func message(i incident.Incident) string {
	if i.After == "" {
		return ""
	}
	return "; after: " + incident.Shortened(i.After)
}
