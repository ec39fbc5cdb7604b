package effective

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective/estate"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
)

// loader turns the fleet of one input into releases.
type loader struct {
	opts  Options
	in    Input
	fleet *fleet.Fleet
	tree  *Tree

	secrets variables.Secrets // of all clusters
	copied  variables.Secrets // of all clusters, without variables
	estates estate.All
	// elsewhere is what clusters apply, for what nothing applies; nil if there is none.
	elsewhere map[document]bool
}

// relative returns the path of a file as seen from the root, and reports whether
// it is below. However the content of a source was named, the folders above both
// are left out: their names say nothing of a release.
func (l *loader) relative(file string) (rel string, inside bool) {
	if rel, ok := l.in.Files.Path(file); ok {
		return rel, true
	}
	root, err1 := filepath.Abs(l.in.Files.Root())
	abs, err2 := filepath.Abs(file)
	if rel, err := filepath.Rel(root, abs); errors.Join(err1, err2, err) == nil && file != "" {
		return filepath.ToSlash(rel), false
	}
	return file, false
}

// inBelow reports whether a path is in the folder Input.Below.
func (l *loader) inBelow(rel string) bool {
	return l.in.Below == "" || rel == l.in.Below || strings.HasPrefix(rel, l.in.Below+"/")
}

// own sets the document that a release is written in.
func (l *loader) own(r *Release, applied fleet.Applied) {
	r.template = applied.Template
	if own, ok := r.table.Document(applied.Object); ok {
		r.own = own
	} else if own, ok := r.table.Document(applied.Template); ok {
		own.Path = []any{"spec", "resourcesTemplate"}
		r.own = own
	} else {
		r.own = l.guess(applied)
	}
	own := r.own
	if own.Doc == nil {
		r.File, r.Line = applied.By.File, applied.By.Line
		return
	}
	r.File, r.Line = own.Doc.File.Name, own.Doc.Line
	if len(own.Path) > 0 {
		pos, _ := own.Doc.Find(own.Path...)
		r.Line = pos.Line
	}
}

// guess returns the document of a release without a shadow: the first in the files of the
// build whose name is part of the release's. It is zero if there is none.
func (l *loader) guess(applied fleet.Applied) trace.Origin {
	for _, file := range applied.By.Files() {
		f := applied.By.Source.Files().File(file)
		for _, w := range l.fleet.Survey.Releases[f.Origin()] {
			own := w.Doc.File.Name == f.Name() // and not of that path in another tree
			if own && strings.Contains(object.Name(applied.Object), object.Name(w.Object)) {
				return trace.Origin{Doc: w.Doc, Writer: &trace.Writer{}}
			}
		}
	}
	return trace.Origin{}
}
