// Package rulekit shows rules to people, and is what authors of rules run: it starts a rule, writes the pages of
// rules, says why one reports, and tests them.
package rulekit

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"text/template"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/pkg/rules"
)

//go:embed skeleton
var skeletons embed.FS

// skeleton is what the files of a new rule are made from.
type skeleton struct {
	Category, Name string
	Bad            bool
}

// New writes the folder of a rule below a folder of rules: one that compiles, and that
// its own tests hold. It names the files to out.
func New(ctx context.Context, out io.Writer, dir, id string) error {
	category, name, _ := strings.Cut(id, "/")
	if err := checkName(ctx, category, name); err != nil {
		return fmt.Errorf("%s: %w", id, err)
	}
	folder := filepath.Join(dir, category, name)
	if at := filepath.Join(dir, category); isLink(at) {
		return fmt.Errorf("%s is a link: rules are folders, and nothing is written elsewhere", at)
	}
	if _, err := os.Lstat(folder); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists: it is left as it is", folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for _, f := range []struct{ name, from string }{
		{name + ".rego", "rule.rego"}, {name + "_test.rego", "rule_test.rego"}, {"bad.yaml", "good.yaml"}, {"good.yaml", "good.yaml"},
	} {
		text, err := skeleton{category, name, f.name == "bad.yaml"}.fill(f.from)
		if err != nil {
			return err
		}
		if err := write(out, filepath.Join(folder, f.name), text); err != nil {
			return err
		}
	}
	return Doc(ctx, out, folder)
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

var kebab = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`) })

// commands are words that follow "flux-remedy rules", where a rule of that name could not be shown.
var commands = []string{"new", "test", "doc", "explain", "help"}

// checkName refuses what is no name of a rule, and one that is taken.
func checkName(ctx context.Context, category, name string) error {
	switch {
	case !kebab().MatchString(category) || !kebab().MatchString(name):
		return errors.New("want CATEGORY/NAME in lower case with hyphens, as visibility/no-team")
	case slices.Contains(commands, name):
		return fmt.Errorf("%q is a command of \"flux-remedy rules\": choose another name", name)
	}
	engine, err := load.OpenRules(ctx, nil)
	if err != nil {
		return err
	}
	taken := append(engine.Named(name), policy.Rule)
	if i := slices.IndexFunc(taken, func(r rules.Rule) bool { return r.ID == name || slices.Contains(r.Aliases, name) }); i >= 0 {
		return fmt.Errorf("there is a rule %s: choose another name", taken[i].ID)
	}
	if slices.Contains(engine.Categories(), name) {
		return fmt.Errorf("%s is a category: choose another name", name)
	}
	return nil
}

func (s skeleton) fill(name string) ([]byte, error) {
	t, err := template.ParseFS(skeletons, "skeleton/"+name+".tmpl")
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = t.Execute(&b, s)
	return b.Bytes(), err
}

// Title returns the name as a sentence.
func (s skeleton) Title() string {
	words := strings.ReplaceAll(s.Name, "-", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// Package returns the end of the rule's package, from its category on.
func (s skeleton) Package() string { return key(s.Category) + key(s.Name) }

// TestPackage returns the same of the package of its tests.
func (s skeleton) TestPackage() string { return key(s.Category) + key(s.Name+"_test") }

// key returns a step of a path in Rego.
func key(name string) string {
	if strings.Contains(name, "-") {
		return fmt.Sprintf("[%q]", name)
	}
	return "." + name
}

// Development returns the severity that the category has there.
func (s skeleton) Development() string {
	if s.Category == "api" || s.Category == "data-safety" {
		return "info"
	}
	return `"off"`
}
