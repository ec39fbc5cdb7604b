package revive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/pkg/forecast"
	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/apis/meta"
)

// request is one that helm-controller handles.
type request struct {
	event forecast.Event
	// annotations have the time of the request as their value.
	annotations []string
	// handled returns the time of the last one that was handled.
	handled func(*helmv2.HelmReleaseStatus) string
}

var requests = []request{
	{"reconcile", []string{meta.ReconcileRequestAnnotation}, handledReconcile},
	{"reset", []string{meta.ReconcileRequestAnnotation, helmv2.ResetRequestAnnotation}, func(s *helmv2.HelmReleaseStatus) string { return s.LastHandledResetAt }},
	{"force", []string{meta.ReconcileRequestAnnotation, helmv2.ForceRequestAnnotation}, func(s *helmv2.HelmReleaseStatus) string { return s.LastHandledForceAt }},
}

func handledReconcile(s *helmv2.HelmReleaseStatus) string { return s.LastHandledReconcileAt }

// choose returns the mildest way that is a request and helps in each situation that a
// status allows.
func choose(outlooks []forecast.Outlook) (request, forecast.Way, bool) {
	for _, way := range outlooks[0].Ways {
		i := slices.IndexFunc(requests, func(r request) bool { return way.Is(r.event) })
		if i >= 0 && helpsInAll(outlooks, way) {
			return requests[i], way, true
		}
	}
	return request{}, forecast.Way{}, false
}

func helpsInAll(outlooks []forecast.Outlook, way forecast.Way) bool {
	return !slices.ContainsFunc(outlooks, func(o forecast.Outlook) bool {
		return !slices.ContainsFunc(o.Ways, func(w forecast.Way) bool { return slices.Equal(w.Events, way.Events) })
	})
}

// watch waits until the attempts after a request are over, and says what came of them.
func (r *runner) watch(ctx context.Context, s Step, at string) (Result, string) {
	began := r.opts.Now()
	for {
		_, now, err := r.look(ctx, s.Release)
		if errors.Is(err, ErrNone) {
			return LeftAlone, "somebody has deleted it meanwhile"
		}
		if err != nil {
			return Unknown, err.Error()
		}
		if what, text := after(now, s, at); what != Unfinished {
			return what, text
		} else if r.opts.Now().Sub(began) > r.opts.Wait {
			return Unfinished, text
		}
		select {
		case <-ctx.Done():
			return Unfinished, "it is no longer watched"
		case <-time.After(r.opts.Pause):
		}
	}
}

// after says what has come of a request so far. The conditions are written before the rest
// of the status, so that none is believed before the controller says that it has seen
// the request.
func after(j incident.Judged, s Step, at string) (Result, string) {
	i := j.Incident
	switch {
	case j.Live.Deleting:
		return LeftAlone, "it is being deleted meanwhile"
	case j.Settings.Suspend:
		return LeftAlone, "somebody has suspended it meanwhile"
	case handledReconcile(&j.Live.Status) != at:
		return Unfinished, "helm-controller has not ended a reconcile since the request"
	case i.Healthy:
		return Revived, "it is Ready"
	case s.request.handled(&j.Live.Status) != at:
		return Failed, fmt.Sprintf("the request was lost, since the release is %s%s", i.State, message(i))
	case i.Stuck && s.restores && i.Outlooks[0].Now == forecast.OldVersion:
		return Restored, "the version from before runs again, and the new one still fails"
	case i.Stuck:
		return Failed, "it is " + i.State + message(i)
	case i.Outlooks[0].Next.Running == "" && i.Outlooks[0].Stays.Outcome.Endless():
		return Failed, "it is " + i.State + message(i)
	}
	return Unfinished, "it is " + i.State
}

func message(i incident.Incident) string {
	if i.After == "" {
		return ""
	}
	return "; after: " + i.After
}
