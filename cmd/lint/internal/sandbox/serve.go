package sandbox

import (
	"encoding/binary"
	"encoding/json"
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
		clock := time.AfterFunc(2*patience*jobTime, func() { os.Exit(1) }) // nobody waits any more
		err := send(out, do(job))
		clock.Stop()
		if err != nil {
			fmt.Fprintln(os.Stderr, "they give", err)
			return true
		}
	}
}

// maxFrame is the size in bytes of the largest message between the processes.
const maxFrame = 64 << 20

// send writes a value as JSON behind its length.
func send(to io.Writer, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if len(data) > maxFrame {
		return fmt.Errorf("more than %d MiB", maxFrame>>20)
	}
	_, err = to.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), data...))
	return err
}

// receive reads what send has written.
func receive(from io.Reader, v any) error {
	var length [4]byte
	if _, err := io.ReadFull(from, length[:]); err != nil {
		return err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxFrame {
		return fmt.Errorf("more than %d MiB", maxFrame>>20)
	}
	data := make([]byte, size)
	if _, err := io.ReadFull(from, data); err != nil {
		return err
	}
	return json.Unmarshal(data, v)
}
