package manifests

import (
	"bytes"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/fluxcd/pkg/sourceignore"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Survey counts the files and documents of a tree as they are written, and lists the
// releases and the problems in them.
type Survey struct {
	Files     int // files that were read
	Documents int // documents of a HelmRelease, also those that patch others
	Partial   int // HelmRelease documents that only patch others
	// Releases are the HelmReleases that patch no others, and the ResourceSets that may
	// render some, by the path of their file.
	Releases map[string][]Written

	Undetermined []release.Undetermined
	Problems     []Problem

	empty []string // kustomization.yaml files that hold nothing
	// patches are the files that a kustomization.yaml uses as patches; nil if it is not known
	// which those are, because not all of a tree was named.
	patches map[string]bool
}

// Problem is something that cannot be read at all.
type Problem struct {
	File         string
	Line, Column int // zero if the problem is the whole file's
	Err          error
	Stood        bool // in the base of a change, in the same file
}

// Undetermined returns an object as undetermined, for a reason.
func (w Written) Undetermined(reason string) release.Undetermined {
	u := release.Undetermined{File: w.Doc.File.Name, Line: w.Doc.Line, Release: object.FullName(w.Object), Reason: reason}
	if object.IsResourceSet(w.Object) || object.Encrypted(u.Release) {
		u.Release, u.Reason = "", object.Called(w.Object)+": "+reason
	}
	return u
}

// NewSurvey reads the manifests and templates for whose path asked is true.
func NewSurvey(x *Index, patches map[string]bool, asked func(path string) bool) *Survey {
	s := &Survey{Releases: map[string][]Written{}, patches: patches}
	for _, name := range x.Files.Paths() {
		s.ignoreFile(x.Files, name)
		if (build.IsManifest(name) || isTemplate(name)) && asked(name) {
			s.file(x, name)
		}
	}
	s.emptied(x.Files)
	return s
}

// SurveyAll reads all files of a tree, whatever their names and whatever they look like, of which it is not known which
// are patches.
func SurveyAll(x *Index) *Survey {
	s := &Survey{Releases: map[string][]Written{}}
	for _, name := range x.Files.Paths() {
		s.file(x, name)
	}
	return s
}

// emptied says of an empty kustomization.yaml beside releases that Flux takes none of them.
func (s *Survey) emptied(files *tree.Tree) {
	for _, name := range s.empty {
		beside := func(of string) bool { return path.Dir(of) == path.Dir(name) }
		if slices.ContainsFunc(slices.Sorted(maps.Keys(s.Releases)), beside) {
			s.Undetermined = append(s.Undetermined, release.Undetermined{
				File: files.Name(name), Line: 1, Reason: "is empty, so Flux takes nothing of its folder: list the releases beside it, or remove it",
			})
		}
	}
}

// ignoreFile says of a file that tells what Flux leaves out that it cannot be
// read.
func (s *Survey) ignoreFile(files *tree.Tree, name string) {
	if path.Base(name) != sourceignore.IgnoreFile {
		return
	}
	if _, err := files.File(name).Data(); err != nil {
		s.problem(Problem{File: files.Name(name), Err: err})
	}
}

func (s *Survey) file(x *Index, name string) {
	f := x.Files.File(name)
	look := x.Look(name)
	if reason := new(tree.Converted); errors.As(look.Err, reason) {
		s.Undetermined = append(s.Undetermined, release.Undetermined{File: f.Name(), Line: 1, Reason: reason.Error()})
		return
	}
	if look.Err != nil {
		s.problem(Problem{File: f.Name(), Err: look.Err})
		return
	}
	s.Files++
	if look.LFS {
		s.Undetermined = append(s.Undetermined, release.Undetermined{File: f.Name(), Line: 1, Reason: "kept by Git LFS: what it holds is not in the tree"})
		return
	}
	// JSON may be that of another tool, with comments.
	named := s.patches == nil && (build.IsManifest(name) && path.Ext(name) != ".json" || name == "-") && !templated().Match(f.Again())
	if !look.Release && (!named || build.IsKustFile(name)) {
		s.hidden(x, name, look.Hidden)
		return
	}
	if reason := TemplateOf(x, name, func() bool { return Parses(x.Builder.Parse(f)) }); reason != "" {
		s.Undetermined = append(s.Undetermined, release.Undetermined{File: f.Name(), Line: lineOf(f.Again()), Reason: reason})
		return
	}
	file, err := x.Builder.Parse(f)
	if err != nil {
		s.problem(Problem{File: f.Name(), Err: err})
		return
	}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			s.problem(problemOf(doc))
		}
	}
	object.Each(file, func(doc *yamledit.Document, obj map[string]any) { s.object(Written{name, doc, obj}) })
}

// hidden reads a file in which no release is found by its words. What cannot be read
// there Flux cannot read either, unless it is in UTF-16.
func (s *Survey) hidden(x *Index, name string, mayHide bool) {
	if !mayHide && !build.IsKustFile(name) {
		return
	}
	f := x.Files.File(name)
	file, err := x.Builder.Parse(f)
	switch {
	case err != nil && object.Wide(f.Again()):
		s.problem(Problem{File: f.Name(), Err: err})
	case build.IsKustFile(name) && !inChart(x.Files, name):
		s.kustomization(f, file, err)
		if err == nil && build.IsEmpty(file) {
			s.empty = append(s.empty, name)
		}
	}
	if err == nil {
		object.Each(file, func(doc *yamledit.Document, obj map[string]any) { s.object(Written{name, doc, obj}) })
	}
}

// kustomization says of a kustomization.yaml that it cannot be read: releases beside it
// may be patched.
func (s *Survey) kustomization(f *tree.File, file *yamledit.File, err error) {
	line := 1
	for i := 0; err == nil && i < len(file.Documents); i++ {
		err, line = file.Documents[i].Err, file.Documents[i].Line
	}
	if err != nil {
		why := err.Error()
		if syntax := new(yamledit.SyntaxError); errors.As(err, &syntax) {
			line, why = syntax.Line, syntax.Message
		}
		s.Undetermined = append(s.Undetermined, release.Undetermined{
			File: f.Name(), Line: line, Reason: "cannot be read, so what it takes and patches is not known: " + strings.Join(strings.Fields(why), " "),
		})
	}
}

func (s *Survey) object(w Written) {
	switch {
	case object.IsHelmRelease(w.Object):
		s.Documents++
		if !s.isRelease(w) {
			return
		}
	case object.Masked(object.String(w.Object, "kind"), object.String(w.Object, "apiVersion")), object.Mistaken(w.Object) != "" && !s.patches[w.Path]:
	case !object.IsResourceSet(w.Object) || !build.MayRender(w.Object):
		return
	}
	s.Releases[w.Path] = append(s.Releases[w.Path], w)
}

// isRelease reports whether a HelmRelease is a release of its own, and not a patch of another
// one: what a release holds may be newer than what is known here, so that only its use says
// that. If the use is not known, one without a chart may be either.
func (s *Survey) isRelease(w Written) bool {
	switch {
	case s.patches[w.Path]:
	case object.Name(w.Object) == "":
		nameless := w.Undetermined("a HelmRelease without metadata.name, which every release needs")
		nameless.Release = ""
		s.Undetermined = append(s.Undetermined, nameless)
	case s.patches == nil && !object.HasChart(w.Object):
		s.Undetermined = append(s.Undetermined, w.Undetermined("has no chart: it patches another release, or its chart is set in a way that is newer than this program; give the folder to judge what Flux applies"))
	default:
		return true
	}
	s.Partial++
	return false
}

func (s *Survey) problem(p Problem) { s.Problems = append(s.Problems, p) }

// problemOf places the error of a document.
func problemOf(doc *yamledit.Document) Problem {
	p := Problem{File: doc.File.Name, Line: doc.Line, Err: doc.Err}
	var syntax *yamledit.SyntaxError
	if errors.As(doc.Err, &syntax) {
		p.Line, p.Column = syntax.Line, syntax.Column
	}
	return p
}

// lineOf returns the line of the first HelmRelease or, without one, ResourceSet.
func lineOf(data []byte) int {
	at := bytes.Index(data, []byte("HelmRelease"))
	if at < 0 {
		at = bytes.Index(data, []byte("ResourceSet"))
	}
	return bytes.Count(data[:max(at, 0)], []byte("\n")) + 1
}
