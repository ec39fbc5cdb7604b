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

// handler answers AdmissionReviews of one path. What it cannot judge it
// answers with an HTTP error and a Status that says why: the API server then
// does what the registration's failurePolicy says.
type handler struct {
	ruleset func() *ruleset
	tier    func(p *ruleset, namespace string) release.Tier
	now     func() time.Time
	metrics *metrics
	log     *slog.Logger

	slots   chan struct{} // one for each request that may be read and judged now
	maxBody int64
	timeout time.Duration
}

// failure is an error with the HTTP code that it is answered with.
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
	if err != nil {
		h.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, &admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: admissionv1.SchemeGroupVersion.String(), Kind: "AdmissionReview"},
		Response: response,
	})
}

// answer waits for its turn, reads, judges and tells of it. A panic is an
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
	select {
	case h.slots <- struct{}{}:
		defer func() { <-h.slots }()
	case <-ctx.Done():
		return nil, failed(http.StatusServiceUnavailable, "too many requests: none of %d places became free", cap(h.slots))
	}
	h.metrics.serving.Inc()
	defer h.metrics.serving.Dec()
	request, err := h.read(ctx, w, r)
	if err != nil {
		return nil, err
	}
	d, err := h.decide(ctx, request)
	if err != nil {
		return nil, err
	}
	h.tell(d, request, time.Since(start))
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

// allowance is how long the request may take: our own limit, or a bit less
// than the API server waits, which it says in the URL.
func (h *handler) allowance(r *http.Request) time.Duration {
	waits, err := time.ParseDuration(r.URL.Query().Get("timeout"))
	if err != nil || waits <= 0 {
		return h.timeout
	}
	return min(h.timeout, waits-waits/10)
}

// read reads an AdmissionReview of bounded size before the context's deadline.
func (h *handler) read(ctx context.Context, w http.ResponseWriter, r *http.Request) (*review, error) {
	if deadline, ok := ctx.Deadline(); ok {
		_ = http.NewResponseController(w).SetReadDeadline(deadline) // a recorder in tests has none
	}
	if r.ContentLength > h.maxBody {
		return nil, h.tooLarge()
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, h.maxBody))
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, h.tooLarge()
	}
	if err != nil {
		return nil, failed(http.StatusBadRequest, "read the review: %w", err)
	}
	in := admissionv1.AdmissionReview{}
	if err := json.Unmarshal(body, &in); err != nil {
		return nil, failed(http.StatusBadRequest, "decode the review: %w", err)
	}
	if in.Kind != "AdmissionReview" || in.APIVersion != admissionv1.SchemeGroupVersion.String() || in.Request == nil {
		return nil, failed(http.StatusBadRequest, "%q %q: want an AdmissionReview of admission.k8s.io/v1 with a request", in.APIVersion, in.Kind)
	}
	request, err := decode(in.Request)
	if err != nil {
		return nil, failed(http.StatusBadRequest, "decode the review: %w", err)
	}
	return request, nil
}

func (h *handler) tooLarge() error {
	return failed(http.StatusRequestEntityTooLarge, "the review is larger than %d bytes (--max-body)", h.maxBody)
}

func (h *handler) decide(ctx context.Context, request *review) (*decision, error) {
	if err := ctx.Err(); err != nil {
		return nil, failed(http.StatusGatewayTimeout, "not judged in time: %w", err)
	}
	rules := h.ruleset()
	d, err := rules.decide(ctx, request, h.tier(rules, request.Namespace), h.now())
	switch {
	case err == nil:
		return d, nil
	case ctx.Err() != nil:
		return nil, failed(http.StatusGatewayTimeout, "not judged in time: %w", err)
	case errors.Is(err, release.ErrNotHelmRelease):
		return nil, failed(http.StatusUnprocessableEntity, "%w: the webhook's registration should name helmreleases only", err)
	}
	return nil, err
}

// tell counts and logs a decision; of the objects only their names.
func (h *handler) tell(d *decision, r *review, took time.Duration) {
	h.metrics.decided(d, took)
	level := slog.LevelDebug
	if d.outcome == denied || d.outcome == warned {
		level = slog.LevelInfo
	}
	h.log.Log(context.Background(), level, "decision", "namespace", r.Namespace, "name", r.Name,
		"operation", r.Operation, "dryRun", r.DryRun != nil && *r.DryRun, "user", r.UserInfo.Username, "uid", r.UID,
		"seconds", took.Seconds(), "why", d.why, "audit", d.audit())
}

// refuse answers with an error as a Status, which the API server quotes.
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
	_ = json.NewEncoder(w).Encode(body) // whoever asked has gone
}
