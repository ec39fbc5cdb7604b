package report

import (
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// relate adds places that have to do with a result, and numbers them.
func (r *sarifResult) relate(places []sarifLocation) {
	for _, place := range places {
		place.ID = len(r.Related) + 1
		r.Related = append(r.Related, place)
	}
}

// related returns a place with what it has to do with a result.
func (s sarif) related(file string, line int, text string) sarifLocation {
	place := s.location(file, line, 0)
	place.Message = &sarifText{Text: text}
	return place
}

// relatedByCause returns for each finding by its number what its cause adds: the place where
// one patch repairs it with others, its release, and some of the other releases.
func (s sarif) relatedByCause(r Report) map[int][]sarifLocation {
	numbered := slices.Clone(r.Findings)
	for i := range numbered {
		numbered[i].number = i
	}
	documents := documentsOf(r.Releases)
	out := map[int][]sarifLocation{}
	for _, c := range causes(numbered) {
		for _, f := range c.findings {
			if site := c.site(); site != nil {
				out[f.number] = append(out[f.number], s.related(site.File, site.Line, "one patch here repairs "+words.Count(width(c.findings), "release")))
			}
			out[f.number] = append(out[f.number], s.concerned(f, c, documents)...)
		}
	}
	return out
}

// concerned returns the documents of the release of a finding, and of the first others of
// its cause.
func (s sarif) concerned(f Finding, c cause, documents map[release.Name]Place) []sarifLocation {
	var out []sarifLocation
	add := func(name release.Name, text string) {
		at, known := documents[name]
		if known && (at.File != f.File || at.Line != f.Line) {
			out = append(out, s.related(at.File, at.Line, text+name.String()))
		}
	}
	add(f.Release, "the release ")
	others := map[release.Name]bool{f.Release: true}
	for _, other := range c.findings {
		if len(others) > mostNames {
			break
		}
		if !others[other.Release] {
			others[other.Release] = true
			add(other.Release, "the same cause: ")
		}
	}
	return out
}

// documentsOf returns where releases are written, by name.
func documentsOf(releases []Release) map[release.Name]Place {
	out := map[release.Name]Place{}
	for _, r := range releases {
		if _, seen := out[r.Name]; !seen {
			out[r.Name] = Place{File: r.File, Line: r.Line}
		}
	}
	return out
}
