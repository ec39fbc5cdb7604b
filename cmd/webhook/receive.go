package main

import (
	"context"
	"mime"
	"net/http"
	"time"
)

// acceptable returns why a request cannot be one of the API server.
func acceptable(r *http.Request) error {
	if r.Method != http.MethodPost {
		return failed(http.StatusMethodNotAllowed, "method %s: want POST", r.Method)
	}
	written := r.Header.Get("Content-Type")
	if written == jsonType {
		return nil
	}
	if media, _, err := mime.ParseMediaType(written); err != nil || media != jsonType {
		return failed(http.StatusUnsupportedMediaType, "content type %q: want application/json", written)
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
