package main

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/revision"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// side judges the state of a tree, for a comparison.
func (s *source) side(ctx context.Context, std streams, engine *rules.Engine, paths []string, now time.Time) (report.Side, error) {
	tree, config, err := s.load(ctx, std, engine, paths)
	if err != nil {
		return report.Side{}, err
	}
	all, err := judge(ctx, engine, config.Config, tree, now)
	if err != nil {
		return report.Side{}, err
	}
	return sideOf(tree, all), nil
}

func sideOf(tree *flux.Tree, all []judged) report.Side {
	side := report.Side{Undetermined: undeterminedOf(tree), Problems: problemsOf(tree, all)}
	for _, j := range all {
		judged := report.Judged{Release: releaseOf(j), Settings: j.Settings, Controller: j.Controller}
		if len(j.Unknown) > 0 {
			judged.Settings = nil
		}
		for _, f := range j.verdict.Findings {
			judged.Findings = append(judged.Findings, findingOf(j, f))
		}
		side.Releases = append(side.Releases, judged)
	}
	return side
}

// baseSide judges what the paths held in a revision or, if none is given, where
// HEAD departs from the default branch. It gives the revision's name too.
func (s *source) baseSide(ctx context.Context, std streams, engine *rules.Engine, rev string, paths []string, now time.Time) (string, report.Side, error) {
	if slices.Contains(paths, "-") {
		return "", report.Side{}, errors.New("standard input has no revision to compare with: give folders or files")
	}
	name := rev
	if rev == "" {
		var err error
		if rev, name, err = revision.Base(ctx, paths[0]); err != nil {
			return "", report.Side{}, err
		}
	}
	old, err := revision.Open(ctx, paths[0], rev)
	if err != nil {
		return "", report.Side{}, err
	}
	side, err := s.sideAt(ctx, std, engine, old, paths, now)
	return name, side, errors.Join(err, old.Close())
}

// sideAt judges a revision. Files have the names that they have, or would have,
// in the work tree.
func (s *source) sideAt(ctx context.Context, std streams, engine *rules.Engine, old *revision.Tree, paths []string, now time.Time) (report.Side, error) {
	oldPaths := make([]string, len(paths))
	for i, path := range paths {
		var err error
		if oldPaths[i], err = old.Path(path); err != nil {
			return report.Side{}, err
		}
	}
	side, err := s.at(old).side(ctx, std, engine, oldPaths, now)
	if err != nil {
		return side, err
	}
	side.Rename(
		func(file string) string { return renamed(file, oldPaths, paths) },
		func(text string) string { return retold(text, oldPaths, paths) },
	)
	return side, nil
}

// retold gives a text with the names of files of another tree.
func retold(text string, from, to []string) string {
	for i, dir := range from {
		there := to[i] + string(filepath.Separator)
		if to[i] == "." {
			there = ""
		}
		text = strings.ReplaceAll(text, dir+string(filepath.Separator), there)
	}
	return text
}

// at gives the same flags for a revision: a source whose folder is in the
// repository has the content that it had.
func (s *source) at(old *revision.Tree) *source {
	then := *s
	then.past, then.sources = true, map[string]string{}
	for name, dir := range s.sources {
		then.sources[name] = dir
		if there, err := old.Path(dir); err == nil {
			then.sources[name] = there
		}
	}
	return &then
}

// renamed gives the name in one tree of a file of another, that is the same
// seen from the path that holds it.
func renamed(file string, from, to []string) string {
	best := ""
	for i, dir := range from {
		rel, err := filepath.Rel(dir, file)
		if err != nil {
			continue
		}
		if name := filepath.Join(to[i], rel); best == "" || !strings.HasPrefix(rel, "..") {
			best = name
		}
	}
	return cmp.Or(best, file)
}
