// Command flux-remedy-charts renders Helm charts for flux-remedy, which starts it when it is given
// charts (--charts): Helm's engine is as large as the rest of the linter, and a chart is a program
// of strangers that may loop or take any amount of memory. It has no network, no environment and no
// cluster, and limits of time, memory and depth.
package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
)

func main() {
	limits.Seal()
	log.SetOutput(io.Discard)
	slog.SetDefault(slog.New(slog.DiscardHandler)) // Helm notes there what it thinks of a chart
	serve := func(job charts.Job) charts.Result { return render(job) }
	if !sandbox.ServeWith(serve, os.Args, os.Stdin, os.Stdout) {
		fmt.Fprintln(os.Stderr, "flux-remedy-charts: flux-remedy starts this program when it is given charts: see flux-remedy lint --help")
		os.Exit(2)
	}
}
