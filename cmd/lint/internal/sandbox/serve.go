package sandbox

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
)

// argument is the first argument of a process that serves. The second is the number of
// bytes of memory that it may use.
const argument = "render-templates-of-standard-input"

// maxStack is the size in bytes of the stack of a template that calls itself.
const maxStack = 16 << 20

// Serve renders the jobs on standard input until it ends, if that is what a process was
// started for; else it returns false.
func Serve(args []string, in io.Reader, out io.Writer) bool { return ServeWith(Render, args, in, out) }

// ServeWith is Serve, with what does a job.
func ServeWith[J, R any](do func(J) R, args []string, in io.Reader, out io.Writer) bool {
	if len(args) != 3 || args[1] != argument {
		return false
	}
	memory, err := strconv.ParseInt(args[2], 10, 64)
	if err != nil {
		return false
	}
	debug.SetMaxStack(maxStack)
	limits.Confine(limits.Bytes(memory), os.Stderr)
	for {
		var job J
		if err := receive(in, &job); err != nil {
			return true
		}
		clock := time.AfterFunc(2*jobTime, func() { os.Exit(1) }) // nobody waits any more
		err := send(out, do(job))
		clock.Stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, "they give", err)
			return true
		}
	}
}
