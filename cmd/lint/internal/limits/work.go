package limits

import (
	"sync"
	"time"
)

// Work is what a command is busy with: phases, and in them steps that nothing can
// stop. It is safe for concurrent use, and the zero value is ready.
type Work struct {
	mu    sync.Mutex
	phase string
	step  string
	since time.Time     // when the step began
	used  time.Duration // what the process had computed until then
}

// Show sets the phase: "building cluster production".
func (w *Work) Show(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.phase = what
}

// Step begins a step that nothing can stop: "building Kustomization apps". The
// function that it returns ends it. Steps are one after the other.
func (w *Work) Step(what string) (done func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step, w.since, w.used = what, time.Now(), cpuTime()
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.step = ""
	}
}

// while returns the end of a message: " while building Kustomization apps".
func (w *Work) while() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.step != "":
		return " while " + w.step
	case w.phase != "":
		return " while " + w.phase
	}
	return ""
}

// stepTime returns how long the step has computed, and no longer than it has taken: a machine that has other things
// to do, and a process with several threads, count for nothing. It is zero if there is no step.
func (w *Work) stepTime() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.step == "" {
		return 0
	}
	return min(time.Since(w.since), cpuTime()-w.used)
}
