package ruletest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Source is a folder of rules.
type Source struct {
	// Name is that of the folder, for people.
	Name string
	fs.FS

	broken map[string]bool // files that are not compiled
}

// ReadDir implements [fs.ReadDirFS]. It leaves out what is broken.
func (s Source) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, name)
	return slices.DeleteFunc(entries, func(e fs.DirEntry) bool { return s.broken[path.Join(name, e.Name())] }), err
}

func (s Source) at(file string) string { return path.Join(s.Name, file) }

// mistake is why a file does not compile.
type mistake struct {
	rules.Origin
	message string
}

// load compiles the rules of the sources. A file of a later source that does not compile
// is a result, and left out. It returns the sources that rules are left in.
func load(ctx context.Context, sources []Source) (*rules.Engine, []Source, []Result, error) {
	for _, source := range sources {
		if holds, err := holdsRule(source); err != nil || !holds {
			return nil, nil, nil, cmp.Or(err, error(&NoRuleError{source.Name}))
		}
	}
	var broken []Result
	for {
		in := make([]fs.FS, len(sources))
		for i, source := range sources {
			in[i] = source
		}
		engine, err := rules.New(ctx, in...)
		if err == nil {
			return engine, sources, broken, nil
		}
		found := mistakesOf(err, sources)
		if len(found) == 0 {
			return nil, nil, nil, err
		}
		left := sources
		for _, m := range found {
			if m.Source == 0 || m.Source >= len(sources) || sources[m.Source].broken[m.File] {
				return nil, nil, nil, err
			}
			broken = addMistake(broken, sources[m.Source], m)
			left = slices.Clone(left)
			left[m.Source] = left[m.Source].without(m.File)
		}
		if sources, err = withRules(left); err != nil {
			return nil, nil, nil, err
		}
	}
}

func (s Source) without(file string) Source {
	broken := map[string]bool{file: true}
	for name := range s.broken {
		broken[name] = true
	}
	s.broken = broken
	return s
}

// withRules returns the sources that hold a rule: the engine takes no other ones.
func withRules(sources []Source) ([]Source, error) {
	var out []Source
	for _, s := range sources {
		holds, err := holdsRule(s)
		if err != nil {
			return nil, err
		}
		if holds {
			out = append(out, s)
		}
	}
	return out, nil
}

func holdsRule(source Source) (bool, error) {
	files, err := regoIn(source)
	return slices.ContainsFunc(files, func(name string) bool { return !isTest(name) }), err
}

// NoRuleError is a folder without a rule.
type NoRuleError struct{ Folder string }

func (e *NoRuleError) Error() string { return e.Folder + " holds no rule" }

func addMistake(to []Result, source Source, m mistake) []Result {
	file := source.at(m.File)
	fault := Fault{File: file, Line: max(m.Line, 1), Message: m.message}
	if i := slices.IndexFunc(to, func(r Result) bool { return r.File == file }); i >= 0 {
		to[i].Checks[0].Faults = append(to[i].Checks[0].Faults, fault)
		return to
	}
	return append(to, Result{File: file, Checks: []Check{{Name: "compile", Faults: []Fault{fault}}}})
}

// mistakesOf returns the mistakes that an error of the engine is made of; nil if it is of
// no file.
func mistakesOf(err error, sources []Source) []mistake {
	var metadata *rules.MetadataError
	var pkg *rules.PackageError
	var rego ast.Errors
	switch {
	case errors.As(err, &metadata):
		at, text := metadata.Origin, metadata.Err.Error()
		if metadata.Field == "" {
			at.Line = packageLine(sources[at.Source], at)
			return []mistake{{at, text}}
		}
		at.Line = metadataLine(sources[at.Source], at, metadata.Field)
		return []mistake{{at, "METADATA: " + metadata.Field + ": " + text}}
	case errors.As(err, &pkg):
		return []mistake{{pkg.Origin, pkg.Err.Error()}}
	case errors.As(err, &rego):
		var out []mistake
		for _, e := range rego {
			out = append(out, mistake{rules.OriginOf(e.Location), explained(e)})
		}
		return out
	}
	return nil
}

// explained returns what the compiler says, in one line, and the name that was meant.
func explained(e *ast.Error) string {
	message := strings.Join(strings.Fields(e.Message), " ")
	if invalid, ok := e.Details.(*ast.RefErrInvalidDetail); ok {
		var names []string
		for _, one := range invalid.OneOf {
			if name, ok := one.(ast.String); ok {
				names = append(names, string(name))
			}
		}
		have, ok := invalid.Ref[invalid.Pos].Value.(ast.String)
		if !ok {
			return message
		}
		return fmt.Sprintf("%s: there is no %q%s", message, string(have), rules.DidYouMean(string(have), names))
	}
	return message
}

func regoIn(source Source) (files []string, err error) {
	err = fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && path.Ext(name) == ".rego" {
			files = append(files, name)
		}
		return err
	})
	return files, err
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.rego") }
