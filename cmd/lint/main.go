// Command flux-remedy shows, before it happens, what Flux will do when a
// HelmRelease fails to install or upgrade, and refuses the settings that leave
// production stuck. As flux-remedy in the Flux plugin folder it answers to
// "flux remedy".
package main

import (
	"io"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
)

func main() { os.Exit(process(os.Stdout, os.Stderr)) }

// process runs the command line of this process, and returns the exit code.
func process(out, err io.Writer) int {
	host := live.Host{Path: os.Getenv("PATH"), Stderr: os.Stderr}
	limits.Seal()
	if sandbox.Serve(os.Args, os.Stdin, os.Stdout) {
		return exitOK
	}
	watch := limits.NewWatch(os.Stderr)
	worker := sandbox.Worker{Memory: watch.Share}
	std := streams{in: os.Stdin, out: out, err: err, environ: os.Environ(), watch: watch, render: worker.Render, host: host}
	limits.Mute()
	return run(watch.Context(), os.Args[1:], std)
}
