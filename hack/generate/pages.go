package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"text/template"

	_ "embed"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed rule.md.tmpl
var rulePage string

//go:embed rules.md.tmpl
var rulesPage string

// categories in the order of their pages, with the question each answers.
var categories = []category{
	{"recovery", "Does it heal by itself?"},
	{"data-safety", "Can a failure delete or corrupt something?"},
	{"timing", "Do timeouts, retries and intervals fit?"},
	{"visibility", "Is a failure noticed?"},
	{"api", "Will this cluster accept and honour it?"},
}

type category struct{ Name, Question string }

// pages returns the page of every rule, the index of rules, and the reference of
// the configuration, by file.
func pages(ctx context.Context) (map[string][]byte, error) {
	engine, err := rules.New(ctx, os.DirFS("policies"))
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, rule := range engine.Rules() {
		if files[page(rule)], err = render(rulePage, rule); err != nil {
			return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
		}
	}
	if files["docs/rules.md"], err = render(rulesPage, engine.Rules()); err != nil {
		return nil, err
	}
	files["docs/configuration.md"], err = configurationPage()
	return files, err
}

func page(rule rules.Rule) string {
	return path.Join("policies/rules", rule.Category, rule.ID, "README.md")
}

func render(text string, data any) ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"categories": func() []category { return categories },
		"tiers":      func() []release.Tier { return release.Tiers },
		"of":         ofCategory,
		"example":    example,
		"params":     params,
		"severity":   severity,
		"value":      value,
		"law":        lawDefault,
		"trim":       strings.TrimSpace,
	}).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

func ofCategory(all []rules.Rule, category string) []rules.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rules.Rule) bool { return r.Category != category })
}

// example reads a file of the rule's folder; empty if there is none.
func example(rule rules.Rule, name string) (string, error) {
	data, err := os.ReadFile(path.Join(path.Dir(page(rule)), name))
	if os.IsNotExist(err) {
		return "", nil
	}
	return strings.TrimSpace(string(data)), err
}

// lawDefault writes the default of a setting of spec.law.
func lawDefault(name string) (string, error) {
	raw, err := json.Marshal(rules.DefaultLaw())
	if err != nil {
		return "", err
	}
	law := map[string]any{}
	err = json.Unmarshal(raw, &law)
	return value(law[name]), err
}

// severity returns the first severity of a rule that is not off.
func severity(rule rules.Rule) rules.Severity {
	for _, tier := range release.Tiers {
		if s := rule.Severity[tier]; s != rules.Off {
			return s
		}
	}
	return rules.Off
}

type namedParam struct {
	Name string
	rules.Param
}

func params(rule rules.Rule) []namedParam {
	var list []namedParam
	for name, param := range rule.Params {
		list = append(list, namedParam{name, param})
	}
	slices.SortFunc(list, func(a, b namedParam) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// value returns a parameter's value as it is written in the configuration.
func value(v any) string {
	if list, ok := v.([]any); ok {
		words := make([]string, len(list))
		for i, word := range list {
			words[i] = fmt.Sprint(word)
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return fmt.Sprint(v)
}
