package flux

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// stdin takes standard input as it is written.
func (l *loader) stdin() error {
	data, err := io.ReadAll(io.LimitReader(l.opts.Stdin, yamledit.MaxFileSize+1))
	if err != nil {
		return fmt.Errorf("read standard input: %w", err)
	}
	l.plain("-", "-", data)
	return nil
}

// file takes one file as it is written.
func (l *loader) file(name string) {
	data, err := l.opts.read(name)
	if err != nil {
		l.problem(Problem{File: name, Err: bare(err)})
		return
	}
	l.plain(filepath.ToSlash(filepath.Clean(name)), name, data)
}

// plain gives what a file says of releases, as it is written.
func (l *loader) plain(rel, name string, data []byte) {
	parse := func() (*yamledit.File, error) { return yamledit.Parse(name, data) }
	for _, w := range l.read(rel, name, data, parse) {
		l.asWritten(w)
	}
}

// written is a complete HelmRelease as it is written, or a ResourceSet that
// seems to render some.
type written struct {
	rel    string
	doc    *yamledit.Document
	object map[string]any
}

// undetermined says why it is not known what comes of it.
func (w written) undetermined(reason string) Undetermined {
	u := Undetermined{File: w.doc.File.Name, Line: w.doc.Line, Release: nameOf(w.object), Reason: reason}
	if isResourceSet(w.object) {
		u.Release, u.Reason = "", "ResourceSet "+nameOf(w.object)+": "+reason
	}
	return u
}

// read lists the complete HelmReleases of a file and the ResourceSets that
// may render some, and counts and reports the rest of it.
func (l *loader) read(rel, name string, data []byte, parse func() (*yamledit.File, error)) []written {
	l.tree.Files++
	if !mayHoldRelease(data) {
		return nil
	}
	if reason := templateOf(rel, name, data); reason != "" {
		l.undetermined(Undetermined{File: name, Line: lineOf(data), Reason: reason})
		return nil
	}
	file, err := parse()
	if err != nil {
		l.problem(Problem{File: name, Err: err})
		return nil
	}
	if file == nil {
		return nil
	}
	var out []written
	for _, doc := range file.Documents {
		if doc.Err != nil {
			l.problem(problemOf(doc, doc.Err))
		}
	}
	each(file, func(doc *yamledit.Document, object map[string]any) {
		switch classify(object) {
		case partial:
			l.tree.Documents++
			l.tree.Partial++
		case complete:
			l.tree.Documents++
			out = append(out, written{rel, doc, object})
		case other:
			if isResourceSet(object) && mayRender(object) {
				out = append(out, written{rel, doc, object})
			}
		}
	})
	return out
}

// asWritten takes a HelmRelease as it is written. What a ResourceSet would render
// in a cluster is not known without one.
func (l *loader) asWritten(w written) {
	if isResourceSet(w.object) {
		l.undetermined(w.undetermined("nothing in the tree applies it, so what it renders is not known"))
		return
	}
	l.release(w)
}

// release takes a HelmRelease as it is written. A variable in a field that
// matters is put in by something that is not known.
func (l *loader) release(w written) {
	namespace, _ := nested(w.object, "metadata", "namespace").(string)
	place := rules.Place{Path: l.opts.configPath(w.doc.File.Name, w.rel), Namespace: namespace}
	hr := &Release{File: w.doc.File.Name, Line: w.doc.Line, own: field{doc: w.doc, writer: &writer{}}, tags: &tags{}}
	e := evidence{object: w.object, place: place, overlays: []string{path.Dir(w.rel)}}
	l.add(hr, w.object, unknownFields(w.object, nil, true), e, release.Controller{})
}

// add finishes a release and takes it in.
func (l *loader) add(hr *Release, object map[string]any, unknown map[string]string, e evidence, controller release.Controller) {
	if !l.wanted(e.place.Cluster) {
		return
	}
	r, err := release.Decode(object, l.opts.Config.ControllerAt(e.place, controller))
	if err != nil {
		l.problem(Problem{File: hr.File, Line: hr.Line, Err: err})
		return
	}
	r.Cluster, r.Unknown = e.place.Cluster, unknown
	hr.Release = r
	for _, o := range hr.Overrides() {
		r.Overridden = append(r.Overridden, o.Override)
	}
	hr.Tier, hr.TierFrom = tierOf(l.opts.Config, e)
	l.tree.Releases = append(l.tree.Releases, hr)
	for _, path := range sortedKeys(unknown) {
		l.undetermined(Undetermined{
			File: hr.File, Line: hr.Line, Cluster: r.Cluster, Release: nameOf(object),
			Reason: path + " " + unknown[path],
		})
		break // one line for each release
	}
}

func (l *loader) problem(p Problem) { l.tree.Problems = append(l.tree.Problems, p) }

func (l *loader) undetermined(u Undetermined) {
	if l.wanted(u.Cluster) {
		l.tree.Undetermined = append(l.tree.Undetermined, u)
	}
}

// problemOf places an error that concerns a document.
func problemOf(doc *yamledit.Document, err error) Problem {
	p := Problem{File: doc.File.Name, Line: doc.Line, Err: err}
	var syntax *yamledit.SyntaxError
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

// lineOf gives the line of the first HelmRelease or, without one, ResourceSet.
func lineOf(data []byte) int {
	at := bytes.Index(data, []byte("HelmRelease"))
	if at < 0 {
		at = bytes.Index(data, []byte("ResourceSet"))
	}
	return bytes.Count(data[:max(at, 0)], []byte("\n")) + 1
}
