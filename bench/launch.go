package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// launch is the first argument of a bench that starts one program, and does nothing else.
// The kernel counts the memory of the process that starts a program as the program's
// own, so a process that made trees must not start it.
const launch = "launch"

// ended is what a launcher writes to its file 3, as JSON, when its program has ended.
type ended struct {
	Code      int
	CPU, Wall time.Duration
	Peak      int64 // bytes
}

// launched runs a program with the files of this process.
func launched(args []string) error {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return err
	}
	state := cmd.ProcessState
	usage := state.SysUsage().(*syscall.Rusage)
	return json.NewEncoder(os.NewFile(3, "ended")).Encode(ended{
		Code: state.ExitCode(), CPU: state.UserTime() + state.SystemTime(), Wall: wall,
		Peak: usage.Maxrss << 10, // KiB on Linux
	})
}

// launcher returns the command that runs a program through a new process of bench.
func launcher(args []string) (*exec.Cmd, error) {
	self, err := os.Executable()
	return exec.Command(self, append([]string{launch}, args...)...), err
}
