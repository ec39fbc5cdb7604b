package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// endTogether has the kernel kill a process when the one that starts it ends, even if
// that was killed itself.
func endTogether(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }

// tick is the unit of times in /proc, which is the same on all Linux systems.
const tick = time.Second / 100

// computed returns how long a running process has computed so far, as proc_pid_stat(5) has it; false
// if that cannot be read.
func computed(process *os.Process) (time.Duration, bool) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process.Pid))
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:]) // from the third on, behind the name
	if err != nil || len(fields) < 13 {
		return 0, false
	}
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	system, err2 := strconv.ParseInt(string(fields[12]), 10, 64)
	return time.Duration(user+system) * tick, err == nil && err2 == nil
}
