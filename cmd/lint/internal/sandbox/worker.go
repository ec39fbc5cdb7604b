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

// Limits of time, in which a template can do nothing else than loop.
const (
	jobTime = 10 * time.Second // of one job, unless a worker has its own
	inAll   = 6                // times that, of all jobs of a worker together
)

// Worker renders jobs in a process of its own. It is safe for concurrent use; jobs wait
// for each other. Its process ends with this one.
type Worker struct {
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

// Render renders a job. A job that goes beyond a limit has no objects, and a failure that
// names the limit.
func (w *Worker) Render(job Job) Result {
	w.mu.Lock()
	defer w.mu.Unlock()
	each := cmp.Or(w.Time, jobTime)
	if w.used > inAll*each {
		return failed("its templates are not rendered: those before have taken more than %s", limits.Plain(inAll*each))
	}
	if w.child == nil {
		started, err := start(w.Memory())
		if err != nil {
			return failed("the process for its templates does not start: %w", err)
		}
		w.child = started
	}
	begin := time.Now()
	out, reason := w.child.render(job, each)
	w.used += time.Since(begin)
	if reason != "" {
		w.child = nil
		return failed("its templates cannot be rendered: %s", reason)
	}
	return out
}

func failed(format string, args ...any) Result {
	return Result{Failures: []string{fmt.Errorf(format, args...).Error()}}
}

// start starts this program again. It has no environment, and so no PATH either.
func start(memory limits.Bytes) (*child, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.Command(program, argument, strconv.FormatInt(int64(memory), 10)), err: &bytes.Buffer{}}
	c.cmd.Args[0] = os.Args[0]
	c.cmd.Env, c.cmd.Stderr = []string{}, c.err
	endTogether(c.cmd)
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if c.out, err = c.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return c, c.cmd.Start()
}

// render has the process render a job. If it does not answer it is gone, for a reason.
func (c *child) render(job Job, within time.Duration) (out Result, reason string) {
	clock := time.AfterFunc(within, func() { _ = c.cmd.Process.Kill() })
	err := send(c.in, job)
	if err == nil {
		err = receive(c.out, &out)
	}
	inTime := clock.Stop()
	if err == nil && inTime {
		return out, ""
	}
	_ = c.in.Close()
	_ = c.cmd.Process.Kill()
	_ = c.cmd.Wait()
	if !inTime {
		return Result{}, "they take longer than " + limits.Plain(within)
	}
	return Result{}, c.lastWords(err)
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
