package release

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/pkg/apis/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Live is what a HelmRelease on a cluster says of itself beside its spec.
type Live struct {
	Generation int64
	// Finalizer reports whether the controller has seen the object, Deleting whether
	// it is being deleted.
	Finalizer, Deleting bool
	// Since is when it was created or, if it is being deleted, when that began; the zero
	// time if that is not known.
	Since time.Time
	// Requested, Force and Reset are the annotations of "flux reconcile" that the
	// controller has not handled yet.
	Requested, Force, Reset bool
	Status                  helmv2.HelmReleaseStatus
}

// ErrNoStatus is what [LiveOf] returns of an object that is not from a cluster.
var ErrNoStatus = errors.New("no status: want the object as the cluster has it")

// LiveOf reads the state of a HelmRelease as "kubectl get -o yaml" prints it. It
// takes every API version: the fields of status that matter are the same. One that was
// just created has no status yet, but an UID.
func LiveOf(object map[string]any) (*Live, error) {
	status, ok := object["status"]
	if !ok && metadata(object, "uid") == "" {
		return nil, ErrNoStatus
	}
	if !ok {
		status = map[string]any{}
	}
	raw, err := json.Marshal(map[string]any{"metadata": object["metadata"], "status": status})
	if err != nil {
		return nil, err
	}
	hr := &helmv2.HelmRelease{}
	if err := json.Unmarshal(raw, hr); err != nil {
		return nil, fmt.Errorf("read its status: %w", err)
	}
	live := &Live{
		Generation: hr.Generation, Finalizer: slices.Contains(hr.Finalizers, helmv2.HelmReleaseFinalizer),
		Deleting: hr.DeletionTimestamp != nil, Since: hr.CreationTimestamp.Time, Status: *hr.Status.DeepCopy(),
	}
	if live.Deleting {
		live.Since = hr.DeletionTimestamp.Time
	}
	live.Status.History = slices.DeleteFunc(live.Status.History, func(s *helmv2.Snapshot) bool { return s == nil })
	at, ok := meta.ReconcileAnnotationValue(hr.Annotations)
	live.Requested = ok && at != hr.Status.LastHandledReconcileAt
	live.Force, live.Reset = meta.ShouldHandleForceRequest(hr), helmv2.ShouldHandleResetRequest(hr)
	return live, nil
}

// Behind reports whether the controller has not finished with the newest spec yet, or not
// begun with what was requested.
func (l *Live) Behind() bool {
	return l.Status.ObservedGeneration < l.Generation || l.Requested
}

// Condition returns the condition of a type, nil if there is none.
func (l *Live) Condition(name string) *metav1.Condition {
	i := slices.IndexFunc(l.Status.Conditions, func(c metav1.Condition) bool { return c.Type == name })
	if i < 0 {
		return nil
	}
	return &l.Status.Conditions[i]
}

// Moved returns when a condition changed last, which is when the controller last began or ended
// something; the zero time if no condition says so. It is when a condition got another status,
// reason or message: what fails again in the same way, without a step between, moves nothing.
// Source: Set in github.com/fluxcd/pkg/runtime/conditions.
func (l *Live) Moved() time.Time {
	var last time.Time
	for _, c := range l.Status.Conditions {
		if c.LastTransitionTime.After(last) {
			last = c.LastTransitionTime.Time
		}
	}
	return last
}
