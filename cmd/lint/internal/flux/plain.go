package flux

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/manifest"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// loader carries one run of [Load].
type loader struct {
	opts Options
	tree *Tree
}

func (l *loader) load(ctx context.Context, name string) error {
	if name == "-" {
		data, err := io.ReadAll(io.LimitReader(l.opts.Stdin, manifest.MaxFileSize+1))
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		l.plain("-", "-", data)
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		l.file(filepath.ToSlash(filepath.Clean(name)), name)
		return nil
	}
	w := &walker{
		root:    name,
		ignores: l.opts.Config.Ignores,
		visit:   func(rel string) { l.file(rel, filepath.Join(name, rel)) },
		problem: func(rel string, err error) { l.problem(Problem{File: filepath.Join(name, rel), Err: bare(err)}) },
	}
	return w.walk(ctx)
}

// file reads one file of the tree; rel is its path for the configuration.
func (l *loader) file(rel, name string) {
	if !isManifest(rel) && !isTemplate(rel) {
		return
	}
	l.tree.Files++
	data, err := readFile(name)
	if err != nil {
		l.problem(Problem{File: name, Err: bare(err)})
		return
	}
	if reason := template(rel, name, data); reason != "" {
		l.undetermined(Undetermined{File: name, Line: lineOf(data, "HelmRelease"), Reason: reason})
		return
	}
	l.plain(rel, name, data)
}

// plain takes the complete HelmReleases of a file as they are written.
func (l *loader) plain(rel, name string, data []byte) {
	if !mayHoldRelease(data) {
		return
	}
	file, err := manifest.Parse(name, data)
	if err != nil {
		l.problem(Problem{File: name, Err: err})
		return
	}
	for _, doc := range file.Documents {
		l.document(rel, doc)
	}
}

func (l *loader) document(rel string, doc *manifest.Document) {
	object, err := doc.Object()
	if err != nil {
		l.problem(problemOf(doc, err))
		return
	}
	if object["kind"] == "List" {
		for _, item := range doc.Each("items") {
			l.document(rel, item)
		}
		return
	}
	switch classify(object) {
	case partial:
		l.tree.Documents++
		l.tree.Partial++
	case complete:
		l.tree.Documents++
		l.release(rel, doc, object)
	}
}

func (l *loader) release(rel string, doc *manifest.Document, object map[string]any) {
	namespace, _ := nested(object, "metadata", "namespace").(string)
	place := rules.Place{Path: rel, Namespace: namespace}
	r, err := rules.Decode(object, l.opts.Config.ControllerAt(place, rules.Controller{}))
	if err != nil {
		l.problem(problemOf(doc, err))
		return
	}
	release := &Release{Release: r, File: doc.File.Name, Line: doc.Line, origin: origin{doc: doc}}
	release.Tier, release.TierFrom = tierOf(l.opts.Config, evidence{
		object: object, place: place, overlays: []string{path.Dir(rel)},
	})
	l.tree.Releases = append(l.tree.Releases, release)
}

func (l *loader) problem(p Problem)           { l.tree.Problems = append(l.tree.Problems, p) }
func (l *loader) undetermined(u Undetermined) { l.tree.Undetermined = append(l.tree.Undetermined, u) }

// problemOf places an error that concerns a document.
func problemOf(doc *manifest.Document, err error) Problem {
	p := Problem{File: doc.File.Name, Line: doc.Line, Err: err}
	var syntax *manifest.SyntaxError
	if errors.As(err, &syntax) {
		p.Line, p.Column = syntax.Line, syntax.Column
	}
	return p
}

// bare takes the path off an error of the file system: it is shown anyway.
func bare(err error) error {
	var pathError *os.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// template says why the HelmReleases of a file are written by a template
// engine and so cannot be known; "" if they are not.
func template(rel, name string, data []byte) string {
	switch {
	case !mayHoldRelease(data):
		return ""
	case isTemplate(rel):
		return "written by a template engine from " + path.Base(rel)
	case inChart(name):
		return "template of a Helm chart: its values are not known here"
	case templated.Match(data) && !parses(data):
		return "written by a template engine: not YAML before it ran"
	}
	return ""
}

// inChart tells whether a file is a template of a Helm chart: below a folder
// templates beside a Chart.yaml.
func inChart(name string) bool {
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "Chart.yaml")); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func parses(data []byte) bool {
	file, err := manifest.Parse("", data)
	if err != nil {
		return false
	}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			return false
		}
	}
	return true
}

// lineOf gives the line of the first occurrence of s.
func lineOf(data []byte, s string) int {
	before, _, _ := strings.Cut(string(data), s)
	return strings.Count(before, "\n") + 1
}
