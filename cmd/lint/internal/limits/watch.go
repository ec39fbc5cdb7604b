package limits

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

const (
	// look is the time between two looks at the clock and the memory.
	look = 10 * time.Millisecond
	// grace is how long a command may take to end by itself.
	grace = 500 * time.Millisecond
)

// Stopped is why a command was ended from outside.
type Stopped struct {
	Code   int // with which the process exits
	reason string
}

func (s *Stopped) Error() string { return s.reason }

// Watch keeps a process within limits. The nil Watch does not.
type Watch struct {
	Work

	ctx    context.Context
	cancel context.CancelCauseFunc
	start  time.Time
	tell   io.Writer
	asked  int64 // of GOMEMLIMIT

	listening sync.Once

	mu     sync.Mutex
	limits Limits
	guards map[int]func()
	next   int
	wait   context.CancelCauseFunc // ends the waiting; nil if the command does not wait
}

// garbage is how much the heap may grow before it is collected, in percent of what is in use: a run
// is short, so that it is not worth to collect often.
const garbage = 200

// NewWatch begins to watch this process, under the default limits. What it says when it
// ends the process it writes to tell.
func NewWatch(tell io.Writer) *Watch {
	w := &Watch{start: time.Now(), tell: tell, asked: debug.SetMemoryLimit(-1), guards: map[int]func(){}}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	w.Set(Default())
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	time.AfterFunc(look, func() {
		w.listen()
		w.run()
	})
	return w
}

// listen has signals end the command. Until there is something to look at, or to undo, they
// end the process as they do by themselves: to hear them takes two threads.
func (w *Watch) listen() {
	w.listening.Do(func() {
		signals := make(chan os.Signal, 2)
		signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
		go w.signals(signals)
	})
}

// Context returns the context of the command, which is canceled when it must end. Its
// cause is a [*Stopped].
func (w *Watch) Context() context.Context { return w.ctx }

// Set replaces the limits.
func (w *Watch) Set(limits Limits) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if limits == w.limits {
		return
	}
	w.limits = limits
	// The collector works harder from here on, so that garbage does not count.
	debug.SetMemoryLimit(min(w.asked, int64(limits.Memory)/8*7))
	// What doubles from below the limit is noticed before it is here.
	setCeiling(3*int64(limits.Memory) + 512<<20)
}

// Extend lengthens the time of the command by that in which it waits for others.
func (w *Watch) Extend(by time.Duration) {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.limits.Time += by
	}
}

// Rest stops the clock of a command that waits for requests; each has the whole time, see [Watch.Turn].
func (w *Watch) Rest() {
	if w != nil {
		w.begin(time.Now().Add(never))
	}
}

// never is longer than any command is let run.
const never = 100 * 365 * 24 * time.Hour

// Turn starts the clock, until the function that it returns is called.
func (w *Watch) Turn() (done func()) {
	if w == nil {
		return func() {}
	}
	w.begin(time.Now())
	return w.Rest
}

// Crowded reports whether a quarter of the memory is in use, as by what a command remembers of former requests.
func (w *Watch) Crowded() bool { return w != nil && live() > int64(w.Share()) }

func (w *Watch) begin(start time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.start = start
}

// Until returns when a command that waits for others should wait no more, to say what it knows
// in the tenth of its time that is left; the zero time if there is no limit.
func (w *Watch) Until() time.Time {
	if w == nil {
		return time.Time{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.start.Add(w.limits.Time - w.limits.Step())
}

// Waiting returns a context in which a command waits for others, until done is called. The first signal ends it in
// place of the command, which then says what it knows; its cause is a [*Stopped].
func (w *Watch) Waiting(ctx context.Context) (waiting context.Context, done func()) {
	if w == nil {
		return ctx, func() {}
	}
	w.listen()
	waiting, wait := context.WithCancelCause(ctx)
	w.waits(wait)
	return waiting, func() { w.waits(nil) }
}

func (w *Watch) waits(wait context.CancelCauseFunc) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait = wait
}

// Share returns how much memory a process beside this one may use.
func (w *Watch) Share() Bytes {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.limits.Share()
}

// Show sets the phase of the command; see [Work.Show].
func (w *Watch) Show(what string) {
	if w != nil {
		w.Work.Show(what)
	}
}

// Step begins a step of the command, whose time is limited; see [Work.Step].
func (w *Watch) Step(what string) (done func()) {
	if w == nil {
		return func() {}
	}
	return w.Work.Step(what)
}

// Guard has undo called if the process is ended before release is.
func (w *Watch) Guard(undo func()) (release func()) {
	if w == nil {
		return func() {}
	}
	w.listen()
	w.mu.Lock()
	defer w.mu.Unlock()
	key := w.next
	w.next++
	w.guards[key] = undo
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.guards, key)
	}
}

// signals ends what the command waits for, or else the command, at the first signal, and the process at the second.
func (w *Watch) signals(from <-chan os.Signal) {
	first := stoppedBy(<-from, w.while())
	w.mu.Lock()
	wait := w.wait
	w.mu.Unlock()
	if wait != nil {
		wait(first)
	} else {
		go w.stop(first)
	}
	w.end(stoppedBy(<-from, w.while()))
}

// stoppedBy returns the exit code that a shell has for a signal.
func stoppedBy(s os.Signal, while string) *Stopped {
	if s == syscall.SIGTERM {
		return &Stopped{128 + int(syscall.SIGTERM), "stopped by SIGTERM" + while}
	}
	return &Stopped{128 + int(syscall.SIGINT), "interrupted" + while}
}

// failure is the exit code of a command that has reached a limit.
const failure = 2

// run looks at the clock and the memory until the command must end.
func (w *Watch) run() {
	for range time.Tick(look) {
		w.mu.Lock()
		limits, start := w.limits, w.start
		w.mu.Unlock()
		now := held()
		switch {
		case now > int64(limits.Memory):
			w.end(&Stopped{failure, fmt.Sprintf("ran out of memory%s: the limit is %s (--max-memory)", w.while(), limits.Memory)})
		case w.ctx.Err() != nil: // it is ending
		case time.Since(start) > limits.Time:
			go w.stop(&Stopped{failure, fmt.Sprintf("took too long%s: the limit is %s for the whole run (--timeout)", w.while(), Plain(limits.Time))})
		case w.stepTime() > limits.Step():
			go w.stop(&Stopped{failure, fmt.Sprintf("took too long%s: the limit is %s, a tenth of --timeout", w.while(), Plain(limits.Step()))})
		}
	}
}

// stop asks the command to end, and ends the process if it does not.
func (w *Watch) stop(why *Stopped) {
	w.cancel(why)
	time.Sleep(grace)
	w.end(why)
}

// end ends the process. It does not come back.
func (w *Watch) end(why *Stopped) {
	w.mu.Lock() // and never unlocked: nothing is guarded any more
	for _, undo := range w.guards {
		undo()
	}
	fmt.Fprintln(w.tell, plain.Line("flux-remedy: "+why.Error()))
	os.Exit(why.Code)
}
