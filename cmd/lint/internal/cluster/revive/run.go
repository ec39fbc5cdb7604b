package revive

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// runner carries out steps on a cluster.
type runner struct {
	*live.Cluster
	by   incident.Source
	opts *Options

	mu    sync.Mutex
	out   io.Writer
	count map[Result]int
}

// Result is what came of a step, in one word.
type Result string

// The results, the good one first.
const (
	Revived    Result = "revived"
	Restored   Result = "restored" // what ran before runs again, and the release is not Ready
	Failed     Result = "failed"
	Unfinished Result = "unfinished" // not over in time
	LeftAlone  Result = "left"       // it was not as planned any more
	Untried    Result = "untried"    // since another one has failed
	Unknown    Result = "unknown"    // the cluster did not answer
)

// results lists them, and the words for them.
var results = []Result{Revived, Restored, Failed, Unfinished, LeftAlone, Untried, Unknown}

var resultWords = map[Result]string{
	Revived: "revived", Restored: "restored", Failed: "failed again", Unfinished: "not over in time", LeftAlone: "left alone", Untried: "not tried", Unknown: "not known",
}

// run carries out the steps that do something. After one that does not end well it begins
// no other, unless it is told to: the cause may be the same.
func (r *runner) run(ctx context.Context, steps []Step) {
	var group sync.WaitGroup
	places := make(chan struct{}, r.opts.AtOnce)
	for i := range steps {
		s := &steps[i]
		if s.Do == "" {
			continue
		}
		places <- struct{}{}
		if ctx.Err() != nil || r.stopped() {
			r.tell(s, Untried, "")
			<-places
			continue
		}
		group.Go(func() {
			what, text := r.one(ctx, *s)
			r.tell(s, what, text)
			<-places
		})
	}
	group.Wait()
}

// stopped reports whether no more steps are begun.
func (r *runner) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.opts.KeepGoing && r.count[Failed]+r.count[Unfinished]+r.count[Unknown] > 0
}

// tell notes and writes what came of a step.
func (r *runner) tell(s *Step, what Result, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Result, s.Message = what, text
	r.count[what]++
	if text != "" {
		text = ": " + text
	}
	fmt.Fprintln(r.out, plain.Line(fmt.Sprintf("%s %s%s", s.Release, resultWords[what], text)))
}

// one makes a request and waits for what comes of it. It looks at the release again first:
// what was planned may be done, or wrong, by now.
func (r *runner) one(ctx context.Context, s Step) (Result, string) {
	object, now, err := r.look(ctx, s.Release)
	if err != nil {
		return Unknown, err.Error()
	}
	switch current := plan(now); {
	case current.Ready:
		return Revived, "it is Ready already"
	case current.Do != s.Do:
		return LeftAlone, "it is not as planned any more, but " + current.State
	}
	at := r.opts.Now().UTC().Format(time.RFC3339Nano)
	if err := r.ask(ctx, s, object, at); err != nil {
		return Unknown, err.Error()
	}
	return r.watch(ctx, s, at)
}

// ask sets the annotations of a request, if the object has not changed since it was read.
func (r *runner) ask(ctx context.Context, s Step, object map[string]any, at string) error {
	meta, _ := object["metadata"].(map[string]any)
	annotations := map[string]any{}
	for _, key := range s.request.annotations {
		annotations[key] = at
	}
	patch := map[string]any{"metadata": map[string]any{"resourceVersion": meta["resourceVersion"], "annotations": annotations}}
	_, err := r.Patch(ctx, live.HelmReleases, s.Release.Namespace, s.Release.Name, patch)
	return err
}
