package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/release"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// handler answers the AdmissionReviews of one path. If it cannot judge one, it
// answers with an HTTP error and a Status with the reason. The API server then
// applies the registration's failurePolicy.
type handler struct {
	ruleset func() *ruleset
	// evidence is what is known of the tier of the releases in a namespace.
	evidence func(r *ruleset, namespace string) release.Evidence
	now      func() time.Time
	metrics  *metrics
	log      *slog.Logger

	limits
	timeout time.Duration
}

// failure is an error with the HTTP code of its answer.
type failure struct {
	code int
	err  error
}

func (f *failure) Error() string { return f.err.Error() }

func failed(code int, format string, args ...any) error {
	return &failure{code, fmt.Errorf(format, args...)}
}

// ServeHTTP answers one AdmissionReview.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	response, err := h.answer(w, r)
	switch {
	case err == nil:
		writeJSON(w, http.StatusOK, &admissionv1.AdmissionReview{
			TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"}, Response: response,
		})
	case abandoned(r, err):
		h.metrics.abandoned.Inc()
		h.log.Debug("request abandoned by its caller", "error", err)
	default:
		h.refuse(w, err)
	}
}

// abandoned reports whether the caller is gone: kustomize-controller cancels its other
// dry runs at the first denial. That is no failure, unlike a deadline that has passed.
func abandoned(r *http.Request, err error) bool {
	return errors.Is(r.Context().Err(), context.Canceled) || errors.Is(err, io.ErrUnexpectedEOF)
}

// answer reads a review, judges it, and records the decision. A panic is an error like others, but
// counted and logged with its stack.
func (h *handler) answer(w http.ResponseWriter, r *http.Request) (response *admissionv1.AdmissionResponse, err error) {
	defer func() {
		if p := recover(); p != nil {
			h.metrics.panics.Inc()
			h.log.Error("panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = failed(http.StatusInternalServerError, "panic while judging")
		}
	}()
	start := time.Now()
	if err := acceptable(r); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), h.allowance(r))
	defer cancel()
	body, err := h.receive(ctx, w, r)
	if err != nil {
		return nil, err
	}
	defer body.done()
	d, review, err := h.judge(ctx, body)
	if err != nil {
		return nil, err
	}
	response = d.Response()
	response.UID = review.UID
	h.record(d, review, response.AuditAnnotations, time.Since(start))
	return response, nil
}

// judge waits for its turn, decodes the request and decides.
func (h *handler) judge(ctx context.Context, b *body) (*admission.Decision, *admission.Review, error) {
	leave, err := h.enter(ctx, b)
	if err != nil {
		return nil, nil, err
	}
	defer leave()
	h.metrics.serving.Inc()
	defer h.metrics.serving.Dec()
	review, err := admission.Decode(b.Text)
	if err != nil {
		return nil, nil, failed(http.StatusBadRequest, "decode the review: %w", err)
	}
	d, err := h.decide(ctx, review)
	return d, review, err
}

func (h *handler) decide(ctx context.Context, review *admission.Review) (*admission.Decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed(http.StatusGatewayTimeout, "not judged in time: %w", err)
	}
	ruleset := h.ruleset()
	evidence := h.evidence(ruleset, review.Namespace)
	evidence.Object = review.Object
	class := release.TierOf(evidence)
	d, err := ruleset.Decide(ctx, review, class.Tier, h.now())
	switch {
	case err == nil:
		if class.Ignored != "" {
			d.Notes = append(d.Notes, class.Ignored)
		}
		return d, nil
	case ctx.Err() != nil:
		return nil, failed(http.StatusGatewayTimeout, "not judged in time: %w", err)
	case errors.Is(err, release.ErrNotHelmRelease):
		return nil, failed(http.StatusUnprocessableEntity, "%w: the webhook's registration should name helmreleases only", err)
	}
	return nil, err
}

// record counts and logs a decision, with the names of objects only.
func (h *handler) record(d *admission.Decision, r *admission.Review, audit map[string]string, took time.Duration) {
	h.metrics.decided(d, took)
	level := slog.LevelDebug
	if d.Outcome == admission.Denied || d.Outcome == admission.Warned || d.Exempted || len(d.Unknown) > 0 {
		level = slog.LevelInfo
	}
	h.log.Log(context.Background(), level, "decision", "namespace", r.Namespace, "name", r.Name,
		"operation", r.Operation, "dryRun", r.DryRun, "user", r.UserInfo.Username, "uid", r.UID,
		"seconds", took.Seconds(), "why", d.Why, "audit", audit)
}

// refuse answers an error with a Status, which the API server quotes.
func (h *handler) refuse(w http.ResponseWriter, err error) {
	code := http.StatusInternalServerError
	if f := (*failure)(nil); errors.As(err, &f) {
		code = f.code
	}
	h.metrics.failures.WithLabelValues(strconv.Itoa(code)).Inc()
	h.log.Warn("request failed", "code", code, "error", err)
	writeJSON(w, code, &metav1.Status{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"},
		Status:   metav1.StatusFailure, Code: int32(code), Message: err.Error(),
	})
}

func writeJSON(w http.ResponseWriter, code int, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(code)
	_, _ = w.Write(text) // fails if the client is gone
}

const jsonType = "application/json"
