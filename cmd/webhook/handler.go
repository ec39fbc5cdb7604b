package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"runtime/debug"
	"strconv"
	"time"

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
			TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
			Response: response,
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

// answer reads, waits for its turn, judges and records the decision. A panic is an
// error like others, but counted and logged with its stack.
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
	leave, err := h.enter(ctx, body)
	if err != nil {
		return nil, err
	}
	defer leave()
	h.metrics.serving.Inc()
	defer h.metrics.serving.Dec()
	request, err := body.decode()
	if err != nil {
		return nil, err
	}
	d, err := h.decide(ctx, request)
	if err != nil {
		return nil, err
	}
	h.record(d, request, time.Since(start))
	response = d.answer()
	response.UID = request.UID
	return response, nil
}

func acceptable(r *http.Request) error {
	if r.Method != http.MethodPost {
		return failed(http.StatusMethodNotAllowed, "method %s: want POST", r.Method)
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return failed(http.StatusUnsupportedMediaType, "content type %q: want application/json", r.Header.Get("Content-Type"))
	}
	return nil
}

// allowance returns how long the request may take: --timeout, or a little less
// than the API server waits, which is in the URL.
func (h *handler) allowance(r *http.Request) time.Duration {
	waits, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil || waits <= 0 {
		return h.timeout
	}
	return min(h.timeout, waits-waits/10)
}

// receive reads the body of a request before the context's deadline.
func (h *handler) receive(ctx context.Context, w http.ResponseWriter, r *http.Request) (*body, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = http.NewResponseController(w).SetReadDeadline(deadline) // a recorder in tests has none
	}
	if r.ContentLength > h.maxBody {
		return nil, h.explain(&http.MaxBytesError{Limit: h.maxBody})
	}
	return h.read(ctx, http.MaxBytesReader(w, r.Body, h.maxBody))
}

func (h *handler) decide(ctx context.Context, request *review) (*decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed(http.StatusGatewayTimeout, "not judged in time: %w", err)
	}
	ruleset := h.ruleset()
	evidence := h.evidence(ruleset, request.Namespace)
	evidence.Object = request.Object
	class := release.TierOf(evidence)
	d, err := ruleset.decide(ctx, request, class.Tier, h.now())
	switch {
	case err == nil:
		if class.Ignored != "" {
			d.notes = append(d.notes, class.Ignored)
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
func (h *handler) record(d *decision, r *review, took time.Duration) {
	h.metrics.decided(d, took)
	level := slog.LevelDebug
	if d.outcome == denied || d.outcome == warned || d.exempted {
		level = slog.LevelInfo
	}
	if !h.log.Enabled(context.Background(), level) {
		return
	}
	h.log.Log(context.Background(), level, "decision", "namespace", r.Namespace, "name", r.Name,
		"operation", r.Operation, "dryRun", r.DryRun, "user", r.UserInfo.Username, "uid", r.UID,
		"seconds", took.Seconds(), "why", d.why, "audit", d.audit())
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
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(body) // fails if the client is gone
}
