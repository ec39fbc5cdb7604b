//go:build unix

package flux

import (
	"os/exec"
	"syscall"
)

// separate puts a process into a group of its own, which a signal to the test does not
// reach.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
