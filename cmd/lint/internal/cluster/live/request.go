package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/flux-remedy/remedy/internal/slim"
)

// request is one to the API server.
type request struct {
	method, path string
	query        url.Values
	accept       string // empty for JSON
	contentType  string // of body
	body         []byte
	// without is what is left out of the answer while it arrives.
	without *slim.Node
}

// Limits of one answer: a page of large objects without their values.
const (
	maxAnswer       = 64 << 20
	maxAnswerValues = 4_000_000
)

// do sends a request and decodes the answer, unless into is nil. After an answer that took too
// long no other request is sent.
func (c *Cluster) do(ctx context.Context, r request, into any) error {
	switch {
	case c.lost != nil:
		return c.lost
	case c.limit == 0:
		return c.ask(ctx, r, into)
	}
	late := fmt.Errorf("no whole answer within %s: is it up, and is the way to it free?", c.limit)
	within, end := context.WithTimeoutCause(ctx, c.limit, late)
	defer end()
	err := c.ask(within, r, into)
	if err != nil && ctx.Err() == nil && within.Err() != nil {
		c.lost = c.explain(late)
		return c.lost
	}
	return err
}

// ask sends a request and decodes the answer.
func (c *Cluster) ask(ctx context.Context, r request, into any) error {
	response, err := c.patiently(ctx, r)
	if err != nil {
		return c.explain(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		return c.refused(r, response)
	}
	if into == nil {
		return nil
	}
	left, err := slim.Read(response.Body, r.without, slim.Limits{Bytes: maxAnswer, Values: maxAnswerValues})
	if err == nil {
		err = json.Unmarshal(left.Text, into)
	}
	if err != nil && ctx.Err() != nil {
		return c.explain(context.Cause(ctx))
	}
	if err != nil {
		return c.explain(fmt.Errorf("read the answer to %s %s: %w", r.method, r.path, err))
	}
	return nil
}

// attempts is how often a request is sent that a busy API server sends back, and
// longestPause how long it may ask to wait.
const (
	attempts     = 5
	longestPause = 10 * time.Second
)

// patiently sends a request, again if the API server is too busy and says when.
func (c *Cluster) patiently(ctx context.Context, r request) (*http.Response, error) {
	for n := 1; ; n++ {
		response, err := c.send(ctx, r)
		if err != nil {
			return nil, err
		}
		pause, err := strconv.Atoi(response.Header.Get("Retry-After"))
		busy := response.StatusCode == http.StatusTooManyRequests || response.StatusCode >= 500
		if !busy || err != nil || n == attempts {
			return response, nil
		}
		response.Body.Close()
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(min(time.Duration(pause)*time.Second, longestPause)):
		}
	}
}

// send sends a request, and waits until the answer begins.
func (c *Cluster) send(ctx context.Context, r request) (*http.Response, error) {
	ctx, end := context.WithCancelCause(ctx)
	silence := time.AfterFunc(c.patience, func() { end(fmt.Errorf("no answer within %s: is it up, and is the way to it free?", c.patience)) })
	defer silence.Stop() // what has begun to answer goes on
	at := c.base.JoinPath(r.path)
	at.RawQuery = r.query.Encode()
	sent, err := http.NewRequestWithContext(ctx, r.method, at.String(), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	sent.Header.Set("Accept", "application/json")
	if r.accept != "" {
		sent.Header.Set("Accept", r.accept)
	}
	if r.contentType != "" {
		sent.Header.Set("Content-Type", r.contentType)
	}
	arrived := make(chan answer, 1)
	go func() {
		response, err := c.http.Do(sent)
		arrived <- answer{response, err}
	}()
	select {
	case a := <-arrived:
		if a.err != nil && context.Cause(ctx) != nil {
			a.err = context.Cause(ctx)
		}
		return a.response, a.err
	case <-ctx.Done(): // also where a credential plugin hangs, which hears of no end
		go func() { (<-arrived).drop() }()
		return nil, context.Cause(ctx)
	}
}

// answer is what came of a request.
type answer struct {
	response *http.Response
	err      error
}

// drop ends an answer that nobody reads.
func (a answer) drop() {
	if a.err == nil {
		a.response.Body.Close()
	}
}

// explain says which cluster an error is about. What the address was is said by the
// error itself.
func (c *Cluster) explain(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	return fmt.Errorf("ask cluster %s (%s): %w", c.Label(), c.base.Host, err)
}

// Label names the cluster in a sentence.
func (c *Cluster) Label() string {
	if c.Name == "" {
		return "of this pod"
	}
	return c.Name
}

// Refused is an answer of the API server that is an error.
type Refused struct {
	Code    int
	Reason  string // as NotFound
	Message string
	// next continues a list that has expired.
	next string
}

func (r *Refused) Error() string {
	return r.Message
}

// refused returns the error that an answer tells.
func (c *Cluster) refused(r request, response *http.Response) error {
	body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // what arrived is enough
	var status struct {
		Message, Reason string
		Metadata        struct{ Continue string }
	}
	err := &Refused{Code: response.StatusCode}
	if json.Unmarshal(body, &status) == nil {
		err.Reason, err.Message, err.next = status.Reason, status.Message, status.Metadata.Continue
	}
	if err.Message == "" {
		err.Message = fmt.Sprintf("%s %s: %s", r.method, r.path, response.Status)
	}
	switch err.Code {
	case http.StatusUnauthorized:
		err.Message += ": are the credentials of the kubeconfig still valid?"
	case http.StatusForbidden:
		err.Message += ": docs/incident.md lists the rights that are needed"
	}
	return c.explain(err)
}

// Is reports whether an error is an answer with an HTTP status code.
func Is(err error, code int) bool {
	var refused *Refused
	return errors.As(err, &refused) && refused.Code == code
}
