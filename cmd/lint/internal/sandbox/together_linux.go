package sandbox

import (
	"os/exec"
	"syscall"
)

// endTogether has the kernel kill a process when the one that starts it ends, even if
// that was killed itself.
func endTogether(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
