package limits

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Work is what a command is busy with: phases, and in them steps that nothing can
// stop. It is safe for concurrent use, and the zero value is ready.
type Work struct {
	mu    sync.Mutex
	phase string
	steps []*string     // that run now, side by side
	since time.Time     // when the first of them began, or another one ended
	used  time.Duration // what the process had computed until then
}

// Show sets the phase: "building cluster production".
func (w *Work) Show(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase = what
}

// Step begins a step that nothing can stop: "building Kustomization apps". The
// function that it returns ends it. Those that run beside it then begin their time anew: they
// may have waited for it.
func (w *Work) Step(what string) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	own := &what
	if w.steps = append(w.steps, own); len(w.steps) == 1 {
		w.since, w.used = time.Now(), cpuTime()
	}
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.steps = slices.DeleteFunc(w.steps, func(s *string) bool { return s == own })
		w.since, w.used = time.Now(), cpuTime()
	}
}

// while returns the end of a message: " while building Kustomization apps".
func (w *Work) while() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case len(w.steps) > 0:
		var names []string
		for _, s := range w.steps {
			names = append(names, *s)
		}
		return " while " + strings.Join(names, " and ")
	case w.phase != "":
		return " while " + w.phase
	}
	return ""
}

// stepTime returns how long the steps have computed since one of them ended, and no longer than that has taken: a
// machine that has other things to do, and a process with several threads, count for nothing. It is zero if there is
// no step.
func (w *Work) stepTime() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.steps) == 0 {
		return 0
	}
	return min(time.Since(w.since), cpuTime()-w.used)
}
