//go:build unix

package limits

import (
	"syscall"
	"time"
)

// cpuTime returns how long this process has computed so far.
func cpuTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return time.Duration(time.Now().UnixNano())
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
