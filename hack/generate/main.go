// Command generate writes what is derived from the code and the policies: the
// JSON schemas of the configuration and of what policies see, the policies as they are
// compiled, the pages of the rules, the pictures of forecasts, and what the Helm chart has of the
// manifests. With -check it writes nothing and fails if a file is stale. It runs in this module's folder:
//
//	go -C hack run ./generate
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/pkg/rules"
)

func main() {
	check := flag.Bool("check", false, "write nothing and fail if a file is stale")
	flag.Parse()
	// Comments are found, and files written, by paths from the repository's root.
	if err := errors.Join(os.Chdir(".."), run(context.Background(), *check)); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// run writes the schemas first: the policies compile against them. The pages are made with
// the policies that are prepared.
func run(ctx context.Context, check bool) error {
	schemas, err := schemas()
	if err != nil {
		return err
	}
	if err := write(schemas, check); err != nil {
		return err
	}
	compiled, err := rules.Prepare(ctx, os.DirFS("policies")) // not the embedded ones, whose schema may be older than the one just written
	if err != nil {
		return err
	}
	if err := write(map[string][]byte{path.Join("policies", rules.PreparedFile): compiled}, check); err != nil {
		return err
	}
	pages, err := pages(ctx)
	if err != nil {
		return err
	}
	pictures, err := pictures(ctx)
	if err != nil {
		return err
	}
	chart, err := chart()
	if err != nil {
		return err
	}
	maps.Copy(pages, pictures)
	maps.Copy(pages, chart)
	return write(pages, check)
}

// write writes each file, or with check only compares it.
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
