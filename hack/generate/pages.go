package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"golang.org/x/mod/semver"
)

//go:embed rules.md.tmpl
var rulesPage string

//go:embed charts.md.tmpl
var chartsPage string

//go:embed versions.md.tmpl
var versionsPage string

// pages returns the page of every rule, the index of rules, the changelog, and the
// reference of the configuration, by file.
func pages(ctx context.Context) (map[string][]byte, error) {
	engine, err := rules.New(ctx, os.DirFS("policies"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, rule := range engine.Rules() {
		folder := path.Join("policies/rules", rule.Category, rule.ID)
		if files[path.Join(folder, ruletest.PageFile)], err = ruletest.Page(rule, os.DirFS(folder), "make generate"); err != nil {
			return nil, err
		}
	}
	if files["docs/rules.md"], err = render(rulesPage, engine.Rules()); err != nil {
		return nil, err
	}
	if files["docs/stateful-charts.md"], err = render(chartsPage, rules.Charts()); err != nil {
		return nil, err
	}
	if files["docs/versions.md"], err = render(versionsPage, map[string]any{
		"Held": release.HeldVersions, "NewestAPI": release.NewestAPI, "Changes": release.Changes, "Minors": newestFirst(release.Minors),
	}); err != nil {
		return nil, err
	}
	if files[changelogFile], err = changelog(engine.Rules()); err != nil {
		return nil, err
	}
	return files, configurationPages(files)
}

func newestFirst(all []release.Minor) []release.Minor {
	all = slices.Clone(all)
	slices.Reverse(all)
	return all
}

func render(text string, data any) ([]byte, error) {
	return ruletest.RenderPage(text, data, template.FuncMap{"categories": func() []ruletest.Category { return ruletest.Categories }})
}

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

const (
	changelogFile  = "CHANGELOG.md"
	changelogBegin = "<!-- Generated from the rules' METADATA by make generate. -->\n"
	changelogEnd   = "<!-- End of what is generated. -->\n"
)

// changelog returns the changelog with what the rules' METADATA says of versions.
func changelog(all []rules.Rule) ([]byte, error) {
	if i := slices.IndexFunc(all, func(r rules.Rule) bool { return r.Since == "" }); i >= 0 {
		return nil, fmt.Errorf("rule %s: custom.since is missing: say which version first has the rule", all[i].ID)
	}
	data, err := os.ReadFile(changelogFile)
	if err != nil {
		return nil, err
	}
	before, rest, begins := bytes.Cut(data, []byte(changelogBegin))
	_, after, ends := bytes.Cut(rest, []byte(changelogEnd))
	if !begins || !ends {
		return nil, errors.New(changelogFile + ": the place of the rules by version is gone")
	}
	return slices.Concat(before, []byte(changelogBegin+versionsOf(all)+changelogEnd), after), nil
}

// versionsOf lists what is reported since which version, newest first. Of the first one the
// rules are only counted.
func versionsOf(all []rules.Rule) string {
	said := map[string][]string{}
	for _, rule := range all {
		link := fmt.Sprintf("[%s](policies/rules/%s/%s/README.md)", rule.ID, rule.Category, rule.ID)
		said[rule.Since] = append(said[rule.Since], fmt.Sprintf("- New: %s, %s.\n", link, rule.Title))
		for _, t := range rule.Tightened {
			said[t.Version] = append(said[t.Version], fmt.Sprintf("- Reports more: %s. %s\n", link, t.What))
		}
	}
	var versions []string
	for version := range said {
		versions = append(versions, version)
	}
	slices.SortFunc(versions, func(a, b string) int { return semver.Compare("v"+b, "v"+a) })
	var out strings.Builder
	for i, version := range versions {
		if i == len(versions)-1 {
			fmt.Fprintf(&out, "\n### %s\n\n- The first %d rules.\n\n", version, len(said[version]))
			continue
		}
		fmt.Fprintf(&out, "\n### %s\n\n%s", version, strings.Join(said[version], ""))
	}
	return out.String()
}
