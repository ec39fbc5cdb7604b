package rulekit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// author is what the pages say wrote them.
const author = "flux-remedy rules doc"

// Doc writes the page of each rule of a folder beside it, and the index of all into the
// folder. It names the files to out.
func Doc(ctx context.Context, out io.Writer, dir string) error {
	all, err := rulesIn(ctx, dir)
	if err != nil {
		return err
	}
	if err := writePages(out, dir, all); err != nil || path.Dir(all[0].Origin.File) == "." {
		return err // the folder of a rule has its page
	}
	index, err := ruletest.Index(all, func(r rules.Rule) string { return path.Join(path.Dir(r.Origin.File), ruletest.PageFile) }, author)
	if err != nil {
		return err
	}
	return writePage(out, filepath.Join(dir, ruletest.PageFile), index)
}

func rulesIn(ctx context.Context, dir string) ([]rules.Rule, error) {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: no such folder", dir)
	}
	engine, err := load.Compile(ctx, []policy.Folder{{Name: dir, FS: files.Folder(dir)}})
	if err != nil {
		return nil, err
	}
	var own []rules.Rule
	for _, rule := range engine.Rules() {
		if rule.Origin.Source > 0 {
			own = append(own, rule)
		}
	}
	return own, nil
}

func writePages(out io.Writer, dir string, all []rules.Rule) error {
	for _, rule := range all {
		folder := filepath.Join(dir, filepath.FromSlash(path.Dir(rule.Origin.File)))
		page, err := ruletest.Page(rule, files.Folder(folder), author)
		if err != nil {
			return err
		}
		if err := writePage(out, filepath.Join(folder, ruletest.PageFile), page); err != nil {
			return err
		}
	}
	return nil
}

// writePage writes a page, but over none that somebody has written by hand.
func writePage(out io.Writer, at string, page []byte) error {
	old, err := os.ReadFile(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(old) > 0 && !bytes.HasPrefix(old, []byte(ruletest.PageHead)) {
		return fmt.Errorf("%s was not written by %q: it is left as it is; move it away", at, author)
	}
	return write(out, at, page)
}

// write writes a file and names it.
func write(out io.Writer, at string, text []byte) error {
	if err := files.Replace(at, text); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "wrote %s\n", plain.Line(at))
	return err
}
