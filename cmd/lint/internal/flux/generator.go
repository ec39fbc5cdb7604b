package flux

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// copyOperation is one of spec.artifacts[].copy of an ArtifactGenerator.
type copyOperation struct {
	alias, pattern string
	to             string
	exclude        []string
}

// generate makes the artifact of that name that an ArtifactGenerator gives;
// nil if it gives none of that name. sources are those of its aliases.
func generate(object map[string]any, name, tmp string, source func(alias string) (*artifact, string)) (*artifact, error) {
	pattern, _ := nested(object, "spec", "pathPattern").(string)
	specs, _ := nested(object, "spec", "artifacts").([]any)
	for _, item := range specs {
		spec, _ := item.(map[string]any)
		for _, captures := range capturesOf(pattern, source) {
			if expand(spec["name"], captures) == name {
				return copyAll(spec, captures, name, tmp, source)
			}
		}
	}
	return nil, nil
}

func expand(v any, captures *strings.Replacer) string {
	s, _ := v.(string)
	return captures.Replace(s)
}

// capturesOf gives what spec.pathPattern captures in each folder that it
// matches; without a pattern, one empty set.
func capturesOf(pattern string, source func(string) (*artifact, string)) []*strings.Replacer {
	if pattern == "" {
		return []*strings.Replacer{strings.NewReplacer()}
	}
	alias, inner, _ := strings.Cut(strings.TrimPrefix(pattern, "@"), "/")
	from, _ := source(alias)
	if from == nil {
		return nil
	}
	names := captureName.FindAllString(inner, -1)
	expr := regexp.MustCompile("^" + captureName.ReplaceAllString(regexp.QuoteMeta(inner), "([^/]+)") + "$")
	if len(names) == 0 {
		return nil
	}
	var out []*strings.Replacer
	_ = fs.WalkDir(os.DirFS(from.dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return nil // what cannot be read is not matched
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

var captureName = regexp.MustCompile(`\\?\{[A-Za-z0-9_-]+\\?\}`)

// copyAll carries out the copy operations of one artifact in order.
func copyAll(spec map[string]any, captures *strings.Replacer, name, tmp string, source func(string) (*artifact, string)) (*artifact, error) {
	dir, err := os.MkdirTemp(tmp, "artifact-")
	if err != nil {
		return nil, err
	}
	out := newArtifact("ExternalArtifact "+name, dir)
	operations, _ := spec["copy"].([]any)
	for _, item := range operations {
		op, err := parseCopy(item, captures)
		if err != nil {
			return nil, err
		}
		from, reason := source(op.alias)
		if from == nil {
			return nil, errors.New(reason)
		}
		if err := out.copy(from, op); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func parseCopy(item any, captures *strings.Replacer) (copyOperation, error) {
	m, _ := item.(map[string]any)
	from, to := expand(m["from"], captures), expand(m["to"], captures)
	if strategy, _ := m["strategy"].(string); strategy != "" && strategy != "Overwrite" {
		return copyOperation{}, fmt.Errorf("copy strategy %s is not followed", strategy)
	}
	alias, pattern, ok := strings.Cut(strings.TrimPrefix(from, "@"), "/")
	dest, inside := strings.CutPrefix(to, "@artifact/")
	if !ok || !inside || !strings.HasPrefix(from, "@") {
		return copyOperation{}, fmt.Errorf("cannot copy from %q to %q", from, to)
	}
	op := copyOperation{alias: alias, pattern: pattern, to: dest}
	exclude, _ := m["exclude"].([]any)
	for _, e := range exclude {
		op.exclude = append(op.exclude, expand(e, captures))
	}
	return op, nil
}

// copy follows the rules of source-watcher, which are those of cp: a folder
// lands inside the target by its own name, dir/** without it, any other
// pattern with the whole path.
func (a *artifact) copy(from *artifact, op copyOperation) error {
	if !strings.ContainsAny(op.pattern, "*?[]") {
		return a.copyOne(from, op)
	}
	matches, err := fs.Glob(os.DirFS(from.dir), op.pattern)
	if err != nil {
		return fmt.Errorf("pattern %q: %w", op.pattern, err)
	}
	base := literalPrefix(op.pattern)
	for _, match := range matches {
		to := path.Join(op.to, match)
		if prefix, ok := strings.CutSuffix(op.pattern, "/**"); ok {
			if inner, ok := strings.CutPrefix(match, prefix+"/"); ok {
				to = path.Join(op.to, inner)
			}
		}
		if err := a.copyFrom(from, match, to, base, op.exclude); err != nil {
			return err
		}
	}
	return nil
}

func (a *artifact) copyOne(from *artifact, op copyOperation) error {
	src := path.Clean(op.pattern)
	info, err := os.Stat(filepath.Join(from.dir, src))
	if err != nil {
		return fmt.Errorf("%s does not exist in %s", src, from.name)
	}
	if info.IsDir() {
		return a.copyFrom(from, src, path.Join(op.to, path.Base(src)), src, op.exclude)
	}
	to := op.to
	if strings.HasSuffix(to, "/") || to == "" || a.isDir(to) {
		to = path.Join(to, path.Base(src))
	}
	return a.copyFrom(from, src, to, ".", op.exclude)
}

// copyFrom copies a file or a folder of another artifact and what is known of
// its files.
func (a *artifact) copyFrom(from *artifact, src, to, base string, exclude []string) error {
	return fs.WalkDir(os.DirFS(from.dir), src, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || excluded(name, base, exclude) {
			return err
		}
		data, err := os.ReadFile(filepath.Join(from.dir, name))
		if err != nil {
			return err
		}
		target := path.Join(to, strings.TrimPrefix(strings.TrimPrefix(name, src), "/"))
		a.adopt(from, name, target)
		return a.write(target, data)
	})
}

// adopt takes over what another artifact knows of a file.
func (a *artifact) adopt(from *artifact, name, target string) {
	if rel, ok := from.from[name]; ok {
		a.from[target] = rel
	}
	if k, ok := from.kusts[name]; ok {
		copied := *k
		copied.name = target
		a.kusts[target] = &copied
	}
	if data, ok := from.raw[name]; ok {
		a.raw[target] = data
	}
	if remotes, ok := from.set[name]; ok {
		a.set[target] = remotes
	}
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

// literalPrefix gives the folders of a pattern before the first wildcard.
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
