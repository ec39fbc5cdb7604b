package effective

import "github.com/flux-remedy/remedy/pkg/release"

// LocateIn returns the place of a field of an object of the release's cluster, by its
// Kind/namespace/name, "" for the release. Where that is not known it is that of the entry of the cluster.
func (r *Release) LocateIn(name string, at release.Path) Location {
	if name == "" {
		return r.Locate(at)
	}
	if s, known := r.Subject(name); known && s.own.Doc != nil {
		return s.locate(at)
	}
	if r.cluster != nil {
		for _, w := range r.writtenAs(r.Cluster, name) {
			pos, exact := w.Doc.Find(at...)
			return Location{
				File: w.Doc.File.Name, Line: pos.Line, Column: pos.Column, Exact: exact, Excerpt: w.Doc.Excerpt(true, at...),
				doc: w.Doc, path: at,
			}
		}
	}
	if n := len(r.AppliedBy); n > 0 {
		return Location{File: r.AppliedBy[n-1].File, Line: max(1, r.AppliedBy[n-1].Line), Column: 1, path: at}
	}
	return Location{File: r.File, Line: r.Line, Column: 1, path: at}
}
