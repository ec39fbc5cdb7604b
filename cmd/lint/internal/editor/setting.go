package editor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report/render"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// setting is a field of a release that a line of a file has a say in.
type setting struct {
	of     judge.Release
	path   release.Path
	value  any
	steps  []string // all that has a say, in order
	column int      // at which the line does
}

// settings returns the fields that a position has a say in, of all releases: those that are
// written nearest before it in its line.
func settings(v View, name string, of text, line, column int) []setting {
	var out []setting
	variables := bytes.Contains(of, []byte("ConfigMap")) || bytes.Contains(of, []byte("Secret"))
	for _, r := range v.State.Releases {
		if !variables && !r.WrittenIn(func(file string) bool { return sameFile(file, name) }) {
			continue
		}
		for _, f := range render.Explain(r.Release, release.Path{"spec"}, false).Fields {
			if f.Path.Within(release.Path{"spec", "values"}) {
				continue
			}
			at := setting{of: r, path: f.Path, value: f.Value}
			for _, step := range f.Steps {
				at.steps = append(at.steps, step.String())
				if step.Line == line && sameFile(step.File, name) {
					at.column = step.Column
				}
			}
			if at.column > 0 {
				out = append(out, at)
			}
		}
	}
	at := nearest(out, column)
	return slices.DeleteFunc(out, func(s setting) bool { return s.column != at })
}

// nearest returns the last column of settings up to a column, or else the first one behind it.
func nearest(all []setting, column int) int {
	before, behind := 0, math.MaxInt
	for _, s := range all {
		if s.column <= column {
			before = max(before, s.column)
		} else {
			behind = min(behind, s.column)
		}
	}
	if before == 0 {
		return behind
	}
	return before
}

// hover says what is in force of the setting at a position, what sets it and what happens in a
// failure; or, elsewhere in a release, what is known of that.
func (s *session) hover(v View, name string, of text, line, column int) string {
	all := settings(v, name, of, line, column)
	if len(all) == 0 {
		return s.releaseAt(v, name, line)
	}
	first, root := all[0], s.documents.rootOf(name)
	var out strings.Builder
	fmt.Fprintf(&out, "**%s** = `%s`\n\n%s\n", first.path, valueText(first.value), ofReleases(all))
	for i, step := range first.steps {
		fmt.Fprintf(&out, "\n%d. %s", i+1, plain.Line(strings.ReplaceAll(step, root+string(filepath.Separator), "")))
	}
	if others := unlike(all); others > 0 {
		fmt.Fprintf(&out, "\n\n%d of these releases have another value, or get it another way.", others)
	}
	out.WriteString("\n\n" + foreseen(first.of, scenarioOf(first.path)))
	return out.String()
}

func valueText(value any) string {
	if value == nil {
		return "not set"
	}
	data, err := json.Marshal(value)
	if err != nil {
		return "unknown"
	}
	return plain.Line(string(data))
}

func ofReleases(all []setting) string {
	var names []string
	for _, s := range all {
		names = append(names, nameOfRelease(s.of))
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if more := len(names) - 3; more > 0 {
		return fmt.Sprintf("of %s and %d more", strings.Join(names[:3], ", "), more)
	}
	return "of " + strings.Join(names, ", ")
}

func nameOfRelease(r judge.Release) string {
	where := "tier " + string(r.Tier)
	if r.Cluster != "" {
		where += fmt.Sprintf(", cluster %q", r.Cluster)
	}
	return plain.Line(r.Mask(fmt.Sprintf("%s (%s)", r.ID(), where)))
}

// unlike counts the settings whose value or writers are not those of the first.
func unlike(all []setting) int {
	n := 0
	for _, s := range all[1:] {
		if fmt.Sprint(s.path, s.value, s.steps) != fmt.Sprint(all[0].path, all[0].value, all[0].steps) {
			n++
		}
	}
	return n
}

// scenarioOf returns the scenario that shows a setting.
func scenarioOf(path release.Path) string {
	if path.Within(release.Path{"spec", "install"}) {
		return "install-fails"
	}
	return "upgrade-fails"
}

// foreseen says how a scenario ends for a release.
func foreseen(r judge.Release, name string) string {
	scenario, err := forecast.Find(name)
	if err != nil || !r.KnownSettings() {
		return plain.Line(r.Mask(fmt.Sprintf("What happens in a failure is not known: not all settings of %s are.", r.ID())))
	}
	summary := forecast.Run(*r.Settings, r.Controller, scenario, forecast.Options{}).Outcome.Summary
	return plain.Line(r.Mask(fmt.Sprintf("%s of %s: %s", name, r.ID(), summary)))
}

// releaseAt says what is known of the release that is written at a line; empty if none is.
func (s *session) releaseAt(v View, name string, line int) string {
	var out []string
	start := 0
	for _, r := range v.State.Releases {
		if !sameFile(r.File, name) || r.Line > line || r.Line < start {
			continue
		}
		if r.Line > start {
			start, out = r.Line, nil
		}
		out = append(out, fmt.Sprintf("**%s**: class %s\n\n%s\n\n%s", nameOfRelease(r), r.Verdict.Class, foreseen(r, "install-fails"), foreseen(r, "upgrade-fails")))
	}
	return strings.Join(out, "\n\n")
}

// definition returns where the setting at a position is decided, for each release.
func (s *session) definition(v View, name string, of text, line, column int) []location {
	out := []location{}
	for _, setting := range settings(v, name, of, line, column) {
		at := setting.of.Locate(setting.path)
		if place := s.place(at.File, at.Line, at.Column); at.Line > 0 && !slices.Contains(out, place) {
			out = append(out, place)
		}
	}
	return out
}
