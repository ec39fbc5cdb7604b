package reading

import (
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal"
)

// Process is what reading uses of the process.
type Process struct {
	In  io.Reader
	Err io.Writer

	Watch  *limits.Watch                    // nil in tests
	Render func(sandbox.Job) sandbox.Result // renders templates; nil does it here
}

// Disk reads the disk, and "-" from standard input.
func (p Process) Disk() snapshot.Snapshot { return snapshot.OnDisk(p.In, p.Err) }

// Begin says on a terminal what is being done, and in errors that end it.
func (p Process) Begin(what string) *terminal.Progress {
	p.Watch.Show(what)
	return terminal.StartProgress(p.Err, what)
}

// Beside has builds do what must not happen in this process, or not for long.
func (p Process) Beside(b *build.Builder) {
	b.Step = p.Watch.Step
	if p.Render != nil {
		b.Render = p.Render
	}
}
