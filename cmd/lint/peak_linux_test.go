package main

import (
	"os"
	"syscall"
)

// peak returns how many bytes of memory the largest of the processes has used.
func peak(state *os.ProcessState) int64 {
	usage, _ := state.SysUsage().(*syscall.Rusage)
	return usage.Maxrss << 10
}
