package main

import (
	"context"
	"os"
	"path"
	"slices"
	"text/template"

	_ "embed"

	"github.com/flux-remedy/remedy/internal/rulepage"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
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
		if files[path.Join(folder, rulepage.File)], err = rulepage.Page(rule, os.DirFS(folder), "make generate"); err != nil {
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
	return rulepage.Render(text, data, template.FuncMap{"categories": func() []rulepage.Category { return rulepage.Categories }})
}
