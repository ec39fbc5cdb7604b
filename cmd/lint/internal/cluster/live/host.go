package live

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd/api"
)

// Host is what a process had before it was sealed, and what the credential plugins
// of a kubeconfig need, and a command that was named for a key. Nothing else is started.
type Host struct {
	// Path is the variable PATH.
	Path string
	// Stderr is where plugins ask for a login.
	Stderr *os.File
}

// prepare has a plugin found, and find others, by the path of the host.
func (h Host) prepare(plugin *api.ExecConfig) {
	if plugin == nil || h.Path == "" {
		return
	}
	if filepath.Base(plugin.Command) == plugin.Command {
		plugin.Command = h.Find(plugin.Command)
	}
	plugin.Env = append(plugin.Env, api.ExecEnvVar{Name: "PATH", Value: h.Path})
}

// Find returns the file of a program. One that is not found keeps its name, which the
// error then tells.
func (h Host) Find(program string) string {
	for _, dir := range filepath.SplitList(h.Path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return file
		}
	}
	return strings.TrimSpace(program)
}

// aloud runs f while messages of plugins are shown. They write where standard error
// was when they were set up.
func (h Host) aloud(f func() error) error {
	if h.Stderr != nil {
		muted := os.Stderr
		os.Stderr = h.Stderr
		defer func() { os.Stderr = muted }()
	}
	return f()
}
