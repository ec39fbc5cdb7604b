package ruletest

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// PageHead is what each page begins with.
const PageHead = "<!-- Generated "

// PageFile is the page of a rule in its folder.
const PageFile = "README.md"

var (
	//go:embed page.md.tmpl
	pageText string

	//go:embed index.md.tmpl
	indexText string
)

// Category is a category of rules with the question that it answers.
type Category struct{ Name, Question string }

// Categories are those of the built-in rules, in the order of their pages.
var Categories = []Category{
	{"recovery", "Does it heal by itself?"},
	{"data-safety", "Can a failure delete or corrupt something?"},
	{"timing", "Do timeouts, retries and intervals fit?"},
	{"visibility", "Is a failure noticed?"},
	{"api", "Will this cluster accept and honour it?"},
}

// Page returns the page of a rule in Markdown, from its METADATA and the examples in a folder. By says what writes it.
// The built-in rules and those of users have the same pages.
func Page(rule rules.Rule, folder fs.FS, by string) ([]byte, error) {
	example := func(name string) (string, error) {
		data, err := fs.ReadFile(folder, name)
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return strings.TrimSpace(string(data)), err
	}
	page, err := RenderPage(pageText, rule, template.FuncMap{"by": func() string { return by }, "example": example})
	if err != nil {
		return nil, fmt.Errorf("rule %s: %w", rule.ID, err)
	}
	return page, nil
}

// Index returns a table of rules by category. Page returns the link to the page of one.
func Index(all []rules.Rule, page func(rules.Rule) string, by string) ([]byte, error) {
	return RenderPage(indexText, all, template.FuncMap{"by": func() string { return by }, "page": page, "categories": categoriesOf})
}

// RenderPage fills a template whose functions know rules.
func RenderPage(text string, data any, more template.FuncMap) ([]byte, error) {
	t, err := template.New("").Funcs(template.FuncMap{
		"tiers":    func() []release.Tier { return release.Tiers },
		"of":       ofCategory,
		"params":   params,
		"severity": severity,
		"value":    value,
		"law":      lawDefault,
		"trim":     strings.TrimSpace,
	}).Funcs(more).Parse(text)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, data)
	return b.Bytes(), err
}

// categoriesOf returns the categories of some rules: those of the built-in rules, then
// others by name.
func categoriesOf(all []rules.Rule) []Category {
	var out, others []Category
	for _, c := range Categories {
		if len(ofCategory(all, c.Name)) > 0 {
			out = append(out, c)
		}
	}
	for _, rule := range all {
		other := Category{Name: rule.Category}
		if !slices.ContainsFunc(slices.Concat(out, others), func(c Category) bool { return c.Name == other.Name }) {
			others = append(others, other)
		}
	}
	slices.SortFunc(others, func(a, b Category) int { return strings.Compare(a.Name, b.Name) })
	return append(out, others...)
}

func ofCategory(all []rules.Rule, category string) []rules.Rule {
	return slices.DeleteFunc(slices.Clone(all), func(r rules.Rule) bool { return r.Category != category })
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
