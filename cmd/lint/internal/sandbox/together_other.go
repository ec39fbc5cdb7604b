//go:build !linux

package sandbox

import "os/exec"

// endTogether does nothing: the process ends when its standard input does, and looks at
// the clock itself.
func endTogether(*exec.Cmd) {}
