package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// drawn are the pictures of the pages, each with the command that draws it. What a rule
// refuses is called before there, what it prefers after.
var drawn = []struct{ file, rule, command string }{
	{"docs/pictures/retry-then-rollback.svg", "recovery/retry-then-rollback", "--compare before after --scenario install-cause-goes-away"},
	{"docs/pictures/uninstall-on-upgrade-failure.svg", "data-safety/uninstall-on-upgrade-failure", "before --scenario upgrade-fails"},
}

// pictures draws forecasts with the linter.
func pictures(ctx context.Context) (map[string][]byte, error) {
	dir, err := os.MkdirTemp("", "flux-remedy-pictures")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	program := filepath.Join(dir, "flux-remedy")
	build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s", "-o", program, "./cmd/lint")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // with which Go's own linker is enough
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the linter: %w\n%s", err, out)
	}
	files := map[string][]byte{}
	for _, p := range drawn {
		for name, example := range map[string]string{"before": "bad.yaml", "after": "good.yaml"} {
			data, err := os.ReadFile(filepath.Join("policies/rules", p.rule, example))
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
				return nil, err
			}
		}
		cmd := exec.CommandContext(ctx, program, append([]string{"forecast", "-o", "svg"}, strings.Fields(p.command)...)...)
		cmd.Dir = dir
		if files[p.file], err = cmd.Output(); err != nil {
			return nil, fmt.Errorf("draw %s: %w", p.file, err)
		}
	}
	return files, nil
}
