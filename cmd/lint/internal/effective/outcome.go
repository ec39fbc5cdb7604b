package effective

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

// substituted lists the variables in the text that the last writer sets, and what becomes of
// the text.
func (r *explainer) substituted(w trace.Write, effective any) []Step {
	if w.Does != trace.Sets || same(w.Value, effective) || !mayBecome(w.Value, effective) || r.unknownIn(w.Field) != nil {
		return nil
	}
	var out []Step
	var seen []string
	for _, m := range variables.Use().FindAllStringSubmatch(fmt.Sprint(w.Value), -1) {
		if d, ok := r.definedIn(w.Origin, m[1]); ok && !slices.Contains(seen, m[1]) {
			seen = append(seen, m[1])
			out = append(out, d.step(m[1]))
		}
	}
	if len(out) != 1 || !same(out[0].Value, effective) {
		out = append(out, Step{Writer: Writer{What: "what is written there"}, Does: Gives, Value: effective})
	}
	return out
}

// mayBecome reports whether a value that is written may be the effective one: it is equal,
// or something is substituted in it.
func mayBecome(written, effective any) bool {
	text := fmt.Sprint(written)
	return strings.Contains(text, "$") || strings.Contains(text, "<<") || same(written, effective)
}

func (d defined) step(name string) Step {
	step := Step{Writer: Writer{What: "variable " + name + " of " + d.from.What}, Does: Substitutes, Value: d.value}
	if d.doc != nil {
		pos, _ := d.doc.Find(d.at...)
		step.File, step.Line, step.Column = d.doc.File.Name, pos.Line, pos.Column
	}
	return step
}

// unknownIn returns the first unknown value at or below a field; nil if there is none.
func (r *explainer) unknownIn(field release.Path) *release.Unknown {
	return r.unknown(func(u release.Unknown) bool { return u.Path.Within(field) })
}

// unknown returns the first unknown field of some; nil if there is none.
func (r *explainer) unknown(of func(release.Unknown) bool) *release.Unknown {
	if i := slices.IndexFunc(r.Unknown, of); i >= 0 {
		return &r.Unknown[i]
	}
	return nil
}

// unseen says that the value in force is not known, or comes from something that no writer
// shows: a template, or a transformer of kustomize that is no patch.
func (r *explainer) unseen(field release.Path, last trace.Write, effective any) []Step {
	if u := r.unknownIn(field); u != nil {
		return []Step{{Writer: Writer{What: u.Reason}, Does: Hides}}
	}
	switch {
	case last.Does.InList(), last.Does == trace.Sets && mayBecome(last.Value, effective):
		return nil
	case last.Does != trace.Sets && effective == nil:
		return nil
	}
	what := "something else, such as a replacement or a generated name of kustomize"
	if r.own.Doc != nil && r.templated() {
		what = "the template that renders it"
	}
	return []Step{{Writer: Writer{What: what}, Does: trace.Sets, Value: effective}}
}

// defaulted says what helm-controller uses where a setting is not set, or where it uses
// something else than what is set.
func (r *explainer) defaulted(field release.Path, effective any) []Step {
	if r.unknownIn(field) != nil {
		return nil
	}
	i := slices.IndexFunc(r.defaults, func(s release.Setting) bool { return slices.Equal(s.Field, field) })
	if i < 0 || effective != nil && sameSetting(r.defaults[i].Value, effective) {
		return nil
	}
	depends := func(u release.Unknown) bool {
		return slices.ContainsFunc(u.Settings(), func(p release.Path) bool { return r.defaults[i].At.Within(p) })
	}
	if u := r.unknown(depends); u != nil {
		return []Step{{Writer: Writer{What: fmt.Sprintf("depends on %s, which %s", u.Path, u.Reason)}, Does: Hides}}
	}
	does, what := Defaults, "helm-controller "+r.Controller.Version
	if effective != nil {
		does = Uses
	}
	if r.Controller.Assumed {
		what += ", which is assumed,"
	}
	return []Step{{Writer: Writer{What: what}, Does: does, Value: r.defaults[i].Value}}
}

// sameSetting compares a setting with what is written, where 10m is 600s.
func sameSetting(setting, written any) bool {
	a, errA := time.ParseDuration(fmt.Sprint(setting))
	b, errB := time.ParseDuration(fmt.Sprint(written))
	return same(setting, written) || errA == nil && errB == nil && a == b
}
