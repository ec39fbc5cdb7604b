// Command flux-remedy shows, before it happens, what Flux will do when a
// HelmRelease fails to install or upgrade, and refuses the settings that leave
// production stuck. As flux-remedy in the Flux plugin folder it answers to
// "flux remedy".
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	std := streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	seal()
	mute()
	os.Exit(run(ctx, os.Args[1:], std))
}
