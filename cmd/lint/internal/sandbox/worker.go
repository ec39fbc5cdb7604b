package sandbox

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
)

// Limits of time, in which a template can do nothing else than loop. It is the time in which the process
// computes, where the system tells that: on a busy machine a job waits long, and must not come to another end.
const (
	jobTime  = 10 * time.Second      // of one job, unless a worker has its own
	inAll    = 6                     // times that, of all jobs of a worker together
	patience = 12                    // times that, by the clock, of one job
	look     = 10 * time.Millisecond // between two looks at the time
)

// Worker renders jobs in a process of its own. It is safe for concurrent use; jobs wait
// for each other. Its process ends with this one.
type Worker struct {
	// Program is the file of the program that serves; empty for this one.
	Program string
	// Memory is how much the process may use.
	Memory func() limits.Bytes
	// Time is how long one job may take; zero means 10 seconds.
	Time time.Duration

	mu    sync.Mutex
	child *child
	used  time.Duration
}

// child is a running process.
type child struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out io.Reader
	err *bytes.Buffer
}

// Render renders the templates of ResourceSets. A job that goes beyond a limit has no objects, and
// a failure that names the limit.
func (w *Worker) Render(job Job) Result {
	var out Result
	if err := w.Do(job, &out); err != nil {
		return failed("its templates %w", err)
	}
	return out
}

// Do has the process do a job, and sets out to what comes of it. The error says which limit it goes
// beyond: "are not rendered: ...".
func (w *Worker) Do(job, out any) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	each := cmp.Or(w.Time, jobTime)
	if w.used > inAll*each {
		return fmt.Errorf("are not rendered: those before have taken more than %s", limits.Plain(inAll*each))
	}
	if w.child == nil {
		started, err := start(w.Program, w.Memory())
		if err != nil {
			return fmt.Errorf("are not rendered: their process does not start: %w", err)
		}
		w.child = started
	}
	begin := w.child.clock()
	reason := w.child.do(job, out, each)
	w.used += begin()
	if reason != "" {
		w.child = nil
		return fmt.Errorf("cannot be rendered: %s", reason)
	}
	return nil
}

func failed(format string, args ...any) Result {
	return Result{Failures: []string{fmt.Errorf(format, args...).Error()}}
}

// start starts a program, this one again if none is named. It has no environment, and so no PATH either.
func start(program string, memory limits.Bytes) (*child, error) {
	name := program
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
		name = os.Args[0]
	}
	c := &child{cmd: exec.Command(program, argument, strconv.FormatInt(int64(memory), 10)), err: &bytes.Buffer{}}
	c.cmd.Args[0] = name
	c.cmd.Env, c.cmd.Stderr = []string{}, c.err
	endTogether(c.cmd)
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return c, c.cmd.Start()
}

// clock starts a clock, which says how long the process has computed since, and on a system that does not tell
// that, how long it is ago.
func (c *child) clock() func() time.Duration {
	start := time.Now()
	before, told := c.computed()
	return func() time.Duration {
		if now, known := c.computed(); known && told {
			return now - before
		}
		return time.Since(start)
	}
}

// computed returns how long the process has computed, also after its end; false if that is not known.
func (c *child) computed() (time.Duration, bool) {
	if ended := c.cmd.ProcessState; ended != nil {
		return ended.UserTime() + ended.SystemTime(), true
	}
	return computed(c.cmd.Process)
}

// do has the process do a job. If it does not answer it is gone, for a reason.
func (c *child) do(job, out any, within time.Duration) (reason string) {
	answered, watched := make(chan struct{}), make(chan bool)
	go func() { watched <- c.endAfter(within, answered) }()
	err := send(c.in, job)
	if err == nil {
		err = receive(c.out, out)
	}
	close(answered)
	inTime := <-watched
	if err == nil && inTime {
		return ""
	}
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	if !inTime {
		return "they take longer than " + limits.Plain(within)
	}
	return c.lastWords(err)
}

// endAfter ends the process if it does not answer within its time, and reports whether it did.
func (c *child) endAfter(within time.Duration, answered <-chan struct{}) bool {
	start, used := time.Now(), c.clock()
	looks := time.NewTicker(look)
	defer looks.Stop()
	for {
		select {
		case <-answered:
			return true
		case <-looks.C:
			if used() > within || time.Since(start) > patience*within {
				_ = c.cmd.Process.Kill()
				return false
			}
		}
	}
}

// shortages are what the runtimes of Go and of C say when there is no more memory, be
// it for the heap, its own tables or the stack of a thread.
var shortages = []string{
	"out of memory", "allocate memory", "heap memory", "summary memory", "map pages",
	"malloc failed", "pthread_create failed", "create new OS thread",
}

// lastWords returns why the process has ended, as it or a runtime has said.
func (c *child) lastWords(err error) string {
	said := c.err.String()
	names := func(part string) bool { return strings.Contains(said, part) }
	switch {
	case names("stack overflow"), names("stack exceeds"):
		return "they call themselves without end"
	case slices.ContainsFunc(shortages, names):
		return "they ran out of memory"
	case said == "":
		return err.Error()
	}
	line, _, _ := strings.Cut(said, "\n")
	return line
}
