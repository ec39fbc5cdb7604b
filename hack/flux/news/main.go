// Command news prints, as a table in Markdown, which versions of Flux's API and controllers are newer than
// those that this project knows, and what they change: fields, what the API demands, and feature gates. What cannot be
// had is said. It runs in the folder hack:
//
//	go -C hack run ./flux/news
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	known, err := known("..")
	if err != nil {
		fmt.Fprintln(os.Stderr, "news:", err)
		os.Exit(1)
	}
	fmt.Print(table(news(known, source{run: command(ctx), dir: ".."})))
}

// command returns a function that runs a program in the repository, with the toolchain that a module needs.
func command(ctx context.Context) func(...string) ([]byte, error) {
	return func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = ".."
		cmd.Env = append(os.Environ(), "GOTOOLCHAIN=auto", "GOFLAGS=-mod=mod")
		var said bytes.Buffer
		cmd.Stderr = &said
		out, err := cmd.Output()
		if err != nil && said.Len() > 0 {
			err = errors.New(said.String())
		}
		return out, err
	}
}
