package sources

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/fluxcd/pkg/sourceignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// copyOperation is one of spec.artifacts[].copy of an ArtifactGenerator.
type copyOperation struct {
	alias, pattern string
	to             string
	exclude        []string
	optional       bool // nothing need match
}

// Generate makes the source of that name that an ArtifactGenerator makes; nil if
// it makes none of that name. aliases finds the sources that it names.
// Source: github.com/fluxcd/source-watcher, internal/builder/builder.go, and artifactgenerator_validation.go.
func Generate(builder *build.Builder, generator map[string]any, name string, aliases func(alias string) (*build.Source, error)) (*build.Source, error) {
	specs, _ := object.At(generator, "spec", "artifacts").([]any)
	captures := capturesOf(object.String(generator, "spec", "pathPattern"), aliases)
	var copied copies
	for _, spec := range specs {
		for _, captured := range captures {
			if captured.Replace(object.String(spec, "name")) != name {
				continue
			}
			if copied != nil {
				return nil, fmt.Errorf("it has two artifacts of the name %s", name)
			}
			var err error
			if copied, err = copyAll(spec, captured, aliases); err != nil {
				return nil, err
			}
		}
	}
	if copied == nil {
		return nil, nil
	}
	packed := sourceignore.NewDefaultMatcher(nil, nil)
	maps.DeleteFunc(copied, func(name string, _ build.Taken) bool { return packed.Match(strings.Split(name, "/"), false) })
	return builder.Assemble("ExternalArtifact "+name, copied), invalid(generator)
}

// MayMake reports whether an ArtifactGenerator may make a source of that name, before its sources are read: what a path
// pattern captures may be part of a name.
func MayMake(generator map[string]any, name string) bool {
	specs, _ := object.At(generator, "spec", "artifacts").([]any)
	return object.String(generator, "spec", "pathPattern") != "" || slices.ContainsFunc(specs, func(spec any) bool { return object.String(spec, "name") == name })
}

// invalid returns why source-watcher does not take an ArtifactGenerator; nil if it does.
func invalid(generator map[string]any) error {
	seen := map[string]bool{}
	list, _ := object.At(generator, "spec", "sources").([]any)
	for _, source := range list {
		alias := object.String(source, "alias")
		if seen[alias] {
			return fmt.Errorf("it has two sources of the alias %s", alias)
		}
		seen[alias] = true
	}
	specs, _ := object.At(generator, "spec", "artifacts").([]any)
	for _, spec := range specs {
		if alias := strings.TrimPrefix(object.String(spec, "revision"), "@"); alias != "" && !seen[alias] {
			return fmt.Errorf("its artifact %s has a revision of %s, which is no source of it", object.String(spec, "name"), alias)
		}
	}
	return nil
}

// capturesOf returns what spec.pathPattern captures in each folder that it
// matches; without a pattern, one empty set.
func capturesOf(pattern string, aliases func(string) (*build.Source, error)) []*strings.Replacer {
	if pattern == "" {
		return []*strings.Replacer{strings.NewReplacer()}
	}
	alias, inner, _ := strings.Cut(strings.TrimPrefix(pattern, "@"), "/")
	from, _ := aliases(alias)
	names := captureName().FindAllString(inner, -1)
	if from == nil || len(names) == 0 {
		return nil
	}
	expr := regexp.MustCompile("^" + captureName().ReplaceAllString(regexp.QuoteMeta(inner), "([^/]+)") + "$")
	var out []*strings.Replacer
	_ = fs.WalkDir(from.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // a folder that cannot be read does not match
		}
		if m := expr.FindStringSubmatch(name); m != nil {
			var pairs []string
			for i, capture := range names {
				pairs = append(pairs, capture, strings.ToLower(m[i+1]))
			}
			out = append(out, strings.NewReplacer(pairs...))
		}
		return nil
	})
	return out
}

var captureName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\?\{[A-Za-z0-9_-]+\\?\}`) })

// copyAll carries out the copy operations of one artifact in order.
func copyAll(spec any, captured *strings.Replacer, aliases func(string) (*build.Source, error)) (copies, error) {
	copied := copies{}
	operations, _ := object.At(spec, "copy").([]any)
	for _, item := range operations {
		op, err := parseCopy(item, captured)
		if err != nil {
			return nil, err
		}
		from, err := aliases(op.alias)
		if err != nil {
			return nil, err
		}
		if name := op.leftOut(from); name != "" {
			return nil, fmt.Errorf("it copies %s, which spec.ignore of the configuration leaves out", name)
		}
		if err := copied.add(from, op); err != nil {
			return nil, err
		}
	}
	return copied, nil
}

func parseCopy(item any, captured *strings.Replacer) (copyOperation, error) {
	from, to := captured.Replace(object.String(item, "from")), captured.Replace(object.String(item, "to"))
	if strategy := object.String(item, "strategy"); strategy != "" && strategy != "Overwrite" {
		return copyOperation{}, fmt.Errorf("copy strategy %s is not followed", strategy)
	}
	alias, pattern, ok := strings.Cut(strings.TrimPrefix(from, "@"), "/")
	dest, inside := strings.CutPrefix(to, "@artifact/")
	if !ok || !inside || !strings.HasPrefix(from, "@") {
		return copyOperation{}, fmt.Errorf("cannot copy from %q to %q", from, to)
	}
	op := copyOperation{alias: alias, pattern: pattern, to: dest, optional: object.At(item, "optional") == true}
	exclude, _ := object.At(item, "exclude").([]any)
	for _, e := range exclude {
		text, _ := e.(string)
		op.exclude = append(op.exclude, captured.Replace(text))
	}
	return op, nil
}

// leftOut returns a manifest that is copied, and that the configuration leaves out of the tree; "" if there is none.
func (op copyOperation) leftOut(from *build.Source) string {
	for _, name := range from.Files().LeftOut() {
		for at := name; at != "."; at = path.Dir(at) {
			if taken, _ := path.Match(path.Clean(op.pattern), at); taken && !excluded(name, literalPrefix(op.pattern), op.exclude) {
				return name
			}
		}
	}
	return ""
}

// copies are the files of an artifact, by path.
type copies map[string]build.Taken

// add copies files by the rules of source-watcher, which are those of cp: a folder is
// copied into the target under its own name, dir/** without that name, and any other
// pattern with its whole path.
func (c copies) add(from *build.Source, op copyOperation) error {
	if !strings.ContainsAny(op.pattern, "*?[]") {
		return c.addOne(from, op)
	}
	matches, err := fs.Glob(from.Files(), op.pattern)
	if err != nil {
		return fmt.Errorf("pattern %q: %w", op.pattern, err)
	}
	base := literalPrefix(op.pattern)
	matches = slices.DeleteFunc(matches, func(name string) bool { return excluded(name, base, op.exclude) })
	if len(matches) == 0 && !op.optional {
		return fmt.Errorf("nothing in %s matches %s, or all of it is excluded", from.Name, op.pattern)
	}
	for _, match := range matches {
		to := path.Join(op.to, match)
		if prefix, ok := strings.CutSuffix(op.pattern, "/**"); ok {
			if inner, ok := strings.CutPrefix(match, prefix+"/"); ok {
				to = path.Join(op.to, inner)
			}
		}
		if err := c.addFrom(from, match, to, base, op.exclude); err != nil {
			return err
		}
	}
	return nil
}

func (c copies) addOne(from *build.Source, op copyOperation) error {
	src := path.Clean(op.pattern)
	switch {
	case !from.Files().Exists(src) && op.optional:
		return nil
	case !from.Files().Exists(src):
		return fmt.Errorf("%s does not exist in %s", src, from.Name)
	case from.IsDir(src):
		return c.addFrom(from, src, path.Join(op.to, path.Base(src)), src, op.exclude)
	}
	to := op.to
	if strings.HasSuffix(to, "/") || to == "" || c.isDir(to) {
		to = path.Join(to, path.Base(src))
	}
	return c.addFrom(from, src, to, ".", op.exclude)
}

// isDir reports whether something was copied below a path.
func (c copies) isDir(dir string) bool {
	for name := range c {
		if strings.HasPrefix(name, path.Clean(dir)+"/") {
			return true
		}
	}
	return false
}

// addFrom adds a file, or the files of a folder, of a source.
func (c copies) addFrom(from *build.Source, src, to, base string, exclude []string) error {
	return fs.WalkDir(from.Files(), src, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || excluded(name, base, exclude) {
			return err
		}
		target := path.Join(to, strings.TrimPrefix(strings.TrimPrefix(name, src), "/"))
		c[target] = build.Taken{From: from, Path: name}
		return nil
	})
}

func excluded(name, base string, patterns []string) bool {
	inner := name
	if base != "." {
		inner = strings.TrimPrefix(strings.TrimPrefix(name, base), "/")
	}
	for _, pattern := range patterns {
		if !strings.Contains(pattern, "/") && doublestar.MatchUnvalidated(pattern, path.Base(name)) ||
			doublestar.MatchUnvalidated(pattern, name) || doublestar.MatchUnvalidated(pattern, inner) {
			return true
		}
	}
	return false
}

// literalPrefix returns the folders of a pattern before the first wildcard.
func literalPrefix(pattern string) string {
	var out []string
	for _, part := range strings.Split(path.Clean(pattern), "/") {
		if strings.ContainsAny(part, "*?[]") {
			break
		}
		out = append(out, part)
	}
	return path.Join(append([]string{"."}, out...)...)
}
