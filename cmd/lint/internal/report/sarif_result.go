package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

type (
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// fixes writes the edits of files that make a finding go away, if they are known.
func fixes(f Finding) []sarifFix {
	if f.Fix == nil || len(f.Hunks) == 0 {
		return nil
	}
	fix := sarifFix{sarifText{Text: FixText(*f.Fix)}, words.Of(f.Hunks, func(h Hunk) sarifChange {
		return sarifChange{artifact(h.File), []sarifReplacement{{
			Deleted:  sarifRegion{h.Line, h.Column, h.ToLine, h.ToColumn},
			Inserted: sarifText{Text: string(h.Text)},
		}}}
	})}
	return []sarifFix{fix}
}

// repairText says which repair --fix would make of a finding, for formats that hold no
// edits; empty if none is known that nothing objects to.
func repairText(f Finding) string {
	if f.Fix == nil || len(f.Hunks) == 0 {
		return ""
	}
	flag := "--fix"
	if !f.Fix.Safe {
		flag = "--fix=unsafe"
	}
	places := words.Of(f.Hunks, func(h Hunk) string { return place(h.File, h.Line, 0) })
	return fmt.Sprintf("%s repairs it in %s: %s", flag, strings.Join(places, ", "), FixText(*f.Fix))
}

// FixText says what a fix writes: "set spec.timeout to \"5m\"".
func FixText(f rules.Fix) string {
	parts := words.Of(f.Set, func(edit rules.Edit) string {
		value, err := json.Marshal(edit.Value)
		field := edit.Path.String()
		if edit.Object != "" {
			field += " of " + strings.Replace(edit.Object, "/", " ", 1)
		}
		if edit.Value == nil || err != nil {
			return "remove " + field
		}
		return fmt.Sprintf("set %s to %s", field, value)
	})
	text := strings.Join(parts, ", ")
	if !f.Safe {
		text += " (somebody may have wanted it as it is)"
	}
	return text
}

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
			if f.counts() {
				out[f.number] = append(out[f.number], s.concerned(f, c, documents)...)
			}
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
