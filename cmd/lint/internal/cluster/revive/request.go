package revive

import (
	"slices"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/apis/meta"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
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

// seen reports whether the controller has ended a reconcile since a request.
func seen(live *release.Live, at string) bool { return handledReconcile(&live.Status) == at }

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
