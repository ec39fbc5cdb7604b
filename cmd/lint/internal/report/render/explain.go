package render

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Explained is a release with some of its fields, and why each has its value.
type Explained struct {
	Cluster   string       `json:"cluster"`
	Namespace string       `json:"namespace"`
	Name      string       `json:"name"`
	Tier      release.Tier `json:"tier"`
	Fields    []field      `json:"fields"`
}

type field struct {
	Path  release.Path `json:"path"`
	Value any          `json:"value"`
	Steps []step       `json:"steps"`
}

// step is something that has a say in a value, in the order in which Flux applies it.
type step struct {
	What   string `json:"what"`
	Does   string `json:"does"`
	Value  any    `json:"value,omitempty"`
	File   string `json:"file,omitempty"`
	Line   int    `json:"line,omitempty"`
	Column int    `json:"column,omitempty"`
}

// Explain returns the fields of a release at and below a path with all that sets them.
// Without secrets it holds neither what Secrets supply nor what values are.
func Explain(r *effective.Release, at release.Path, secrets bool) Explained {
	out := Explained{Cluster: r.Cluster, Namespace: r.Namespace, Name: r.Name, Tier: r.Tier, Fields: []field{}}
	for _, e := range r.Explain(at) {
		f := field{Path: e.Path, Value: e.Value, Steps: []step{}}
		for _, s := range e.Steps {
			f.Steps = append(f.Steps, step{s.What, string(s.Does), s.Value, s.File, s.Line, s.Column})
		}
		if !secrets {
			f.hide(r)
		}
		out.Fields = append(out.Fields, f)
	}
	if secrets {
		return out
	}
	return plain.Copy(out, r.Mask)
}

// hide hides what Secrets supply, and what is written as a value of the chart.
func (f *field) hide(r *effective.Release) {
	of := r.MaskValue
	if f.Path.Within(release.Path{"spec", "values"}) {
		of = hidden
	}
	if f.Value != nil {
		f.Value = of(f.Value)
	}
	for i, s := range f.Steps {
		if s.Value != nil {
			f.Steps[i].Value = of(s.Value)
		}
	}
}

// ExplainFormats lists the names of the formats of [writeExplained], the default first.
func ExplainFormats() []string { return []string{"text", "json"} }

// writeExplained writes releases in a format of [ExplainFormats].
func writeExplained(w io.Writer, format string, all []Explained) error {
	if format == "json" {
		return plain.WriteJSON(w, all)
	}
	for i, e := range all {
		lines := e.lines()
		if i > 0 {
			lines = append([]string{""}, lines...)
		}
		for _, line := range lines {
			if _, err := fmt.Fprintln(w, plain.Line(line)); err != nil {
				return err
			}
		}
	}
	return nil
}

// lines are the release, the fields that something sets with all that does, and the defaults
// of the others.
func (e Explained) lines() []string {
	out, defaults := []string{release.Name{Namespace: e.Namespace, Name: e.Name}.String() + words.InCluster(e.Cluster)}, []string{}
	for _, f := range e.Fields {
		if len(f.Steps) == 1 && f.Steps[0].Does == string(effective.Defaults) {
			defaults = append(defaults, "  "+f.Path.String()+" is not set: "+f.Steps[0].String())
			continue
		}
		out = append(out, "", "  "+f.Path.String()+" "+f.valueText())
		for _, s := range f.Steps {
			out = append(out, "    "+s.String())
		}
	}
	if len(defaults) > 0 {
		out = append(append(out, ""), defaults...)
	}
	return out
}

func (f field) valueText() string {
	switch {
	case f.Value != nil:
		return "= " + text(f.Value)
	case len(f.Steps) == 0:
		return "is not set, and nothing sets it"
	}
	return "is not set"
}

// String is one line: the place, and who does what there.
func (s step) String() string {
	if s.Does == string(effective.Hides) {
		return "its value is not known: it " + s.What
	}
	out := s.What + " " + s.Does
	switch s.Does {
	case string(effective.Substitutes):
		out = s.What + " is"
	case string(trace.Removes):
		out += " it"
	}
	if s.Value != nil {
		out += " " + text(s.Value)
	}
	if s.File != "" {
		out = fmt.Sprintf("%s:%d  %s", s.File, s.Line, out)
	}
	return out
}

func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(data)
}

// Field reads the path of a field of spec.
func Field(path string) (release.Path, error) {
	at, err := release.ParseField(path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("--explain %s: %w", path, err)
	case len(at) == 0 || at[0] != "spec":
		return nil, fmt.Errorf("--explain %s: want a field of spec, such as spec.upgrade.remediation.retries", path)
	}
	return at, nil
}

// Fields lists the paths of the fields that the API has.
func Fields() []string {
	out := []string{"spec"}
	for _, at := range release.APIFields() {
		out = append(out, at.String())
	}
	return out
}

// checkField returns an error if the API has no field of a path, and no release sets one.
func checkField(at release.Path, all []Explained) error {
	for _, field := range release.APIFields() {
		if field.Within(at) || at.Within(field) && holdsAny(field) {
			return nil
		}
	}
	isSet := func(f field) bool { return len(f.Steps) > 0 }
	if slices.ContainsFunc(all, func(e Explained) bool { return slices.ContainsFunc(e.Fields, isSet) }) {
		return nil
	}
	return fmt.Errorf("--explain %s: a HelmRelease has no such field%s", at, rules.DidYouMean(at.String(), Fields()))
}

// holdsAny reports whether a field has others in it that the API does not name: it is a
// list, a map or the values of the chart.
func holdsAny(field release.Path) bool {
	return !slices.ContainsFunc(release.APIFields(), func(other release.Path) bool { return len(other) > len(field) && other.Within(field) })
}
