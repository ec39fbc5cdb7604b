// Command generate writes what is derived from the code and the policies: the
// JSON schemas and the rules' pages. It runs in the root of the repository;
// with --check it writes nothing and fails if a file is stale.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func main() {
	check := slices.Contains(os.Args[1:], "--check")
	if err := run(context.Background(), check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run makes the schemas first: the policies compile against them.
func run(ctx context.Context, check bool) error {
	schemas, err := schemas()
	if err != nil {
		return err
	}
	if err := write(schemas, check); err != nil {
		return err
	}
	pages, err := pages(ctx)
	if err != nil {
		return err
	}
	return write(pages, check)
}

// write puts each file in its place, or only compares.
func write(files map[string][]byte, check bool) error {
	var errs []error
	for name, want := range files {
		have, err := os.ReadFile(name)
		if err == nil && bytes.Equal(have, want) {
			continue
		}
		if check {
			errs = append(errs, fmt.Errorf("%s is stale: run make generate", name))
			continue
		}
		errs = append(errs, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, want, 0o644))
	}
	return errors.Join(errs...)
}
