package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"golang.org/x/sync/semaphore"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/internal/slim"
)

const (
	// maxKept is how much of a review may be left to be judged. An update carries two
	// objects of at most the 1.5 MiB that etcd takes.
	maxKept       = 4 << 20
	maxKeptValues = 100_000
	// small is how much of any review is held in memory, at most of --max-connections
	// at once. Nearly all are smaller.
	small = 64 << 10
	// maxLarge is how many larger ones are held at once.
	maxLarge = 8
	// manyValues are so many that only one such review is judged at once: memory and time
	// of a judgement grow with their number.
	manyValues = 4096
)

// limits bound what is read and judged at once, over all paths.
type limits struct {
	maxBody, maxConcurrent int64

	large  *semaphore.Weighted // reviews of which more than small is held
	heavy  *semaphore.Weighted // reviews with many values that are judged
	places *semaphore.Weighted // reviews that are judged
}

func newLimits(maxBody int64, maxConcurrent int) limits {
	return limits{
		maxBody: maxBody, maxConcurrent: int64(maxConcurrent),
		large: semaphore.NewWeighted(maxLarge), heavy: semaphore.NewWeighted(1),
		places: semaphore.NewWeighted(int64(maxConcurrent)),
	}
}

// body is what is left of a review.
type body struct {
	slim.Copy
	done func() // frees what it takes of the limits
}

// read reads a review without the parts that nobody looks at. No place is taken
// meanwhile, so that a slow caller holds up nobody.
func (l limits) read(ctx context.Context, source io.Reader) (*body, error) {
	b := &body{done: func() {}}
	var err error
	b.Copy, err = slim.Read(source, admission.Unread, slim.Limits{Bytes: maxKept, Values: maxKeptValues, Above: small, Grow: func() error {
		if l.large.Acquire(ctx, 1) != nil {
			return failed(http.StatusServiceUnavailable, "too many large requests: none of %d became ready in time", maxLarge)
		}
		b.done = func() { l.large.Release(1) }
		return nil
	}})
	if err != nil {
		b.done()
		return nil, l.explain(err)
	}
	return b, nil
}

// explain returns why a review cannot be read, with the code of the answer.
func (l limits) explain(err error) error {
	var tooLong *http.MaxBytesError
	var own *failure
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &tooLong):
		return failed(http.StatusRequestEntityTooLarge, "the review is larger than %d bytes (--max-body)", l.maxBody)
	case errors.Is(err, slim.ErrLarge):
		return failed(http.StatusRequestEntityTooLarge, "the review is too large to be judged even without spec.values: more than %d bytes or %d fields", maxKept, maxKeptValues)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return failed(http.StatusRequestTimeout, "the review did not arrive in time")
	case errors.Is(err, slim.ErrSyntax):
		return failed(http.StatusBadRequest, "decode the review: %w", err)
	}
	return failed(http.StatusBadRequest, "read the review: %w", err)
}

// enter waits for a place among those that are judged, and returns what leaves it. A
// review with many values waits for the others of its kind first, beside the places, so
// that it holds up no other.
func (l limits) enter(ctx context.Context, b *body) (leave func(), err error) {
	heavy := int64(0)
	if b.Values > manyValues {
		heavy = 1
	}
	if l.heavy.Acquire(ctx, heavy) != nil {
		return nil, failed(http.StatusServiceUnavailable, "too many large requests: no place became free in time")
	}
	if l.places.Acquire(ctx, 1) != nil {
		l.heavy.Release(heavy)
		return nil, failed(http.StatusServiceUnavailable, "too many requests: none of %d places became free in time", l.maxConcurrent)
	}
	return func() { l.places.Release(1); l.heavy.Release(heavy) }, nil
}
