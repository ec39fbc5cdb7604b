package repair

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestHelpIsWritten holds help to what --fix writes with the options that help names.
func TestHelpIsWritten(t *testing.T) {
	engine := newEngine(t)
	trees, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil {
		t.Fatal(err)
	}
	trees = append(trees, "../../../../testdata/demo")
	for _, dir := range trees {
		runs := map[rules.Class]*helpRuns{}
		for _, prefer := range []rules.Class{rules.ClassRetry, rules.ClassBounded} {
			config := &rules.Config{}
			config.Spec.Fix.Prefer = prefer
			config.Spec.Controller.Version = release.DefaultControllerVersion
			runs[prefer] = &helpRuns{t: t, engine: engine, config: config, dir: dir, made: map[string]*Repairer{}}
		}
		for prefer := range runs {
			t.Run(fmt.Sprint(filepath.Base(dir), " ", prefer), func(t *testing.T) { checkHelp(t, runs, prefer) })
		}
	}
}

// helpRuns are runs of --fix over a tree under a configuration, by kinds and rule.
type helpRuns struct {
	t      *testing.T
	engine *rules.Engine
	config *rules.Config
	dir    string
	now    *judge.State
	made   map[string]*Repairer
}

// of returns the run with kinds of repairs, of a rule or of all; without kinds nothing is repaired.
func (h *helpRuns) of(kinds, rule string) *Repairer {
	if f := h.made[kinds+" "+rule]; f != nil {
		return f
	}
	f := repairerOf(h.t, h.engine, h.config, h.dir, strings.Split(kinds, ","), h.now, func(*effective.Release) {})
	h.now, h.made[kinds+" "+rule] = &f.before.state, f
	if rule != "" {
		f.planner.Rules, _ = judge.Select(h.engine, []string{rule}, nil)
	}
	if kinds != "" {
		if err := f.Run(); err != nil {
			h.t.Fatal(err)
		}
	}
	return f
}

// checkHelp checks the help for every finding of a tree, with and without patches for many.
func checkHelp(t *testing.T, runs map[rules.Class]*helpRuns, prefer rules.Class) {
	h := runs[prefer]
	start := h.of("", "")
	ids := byIdentity(start.state.Releases)
	for _, central := range []bool{false, true} {
		remedy := Remedies(start.state, start.planner.Foresee, central)
		for _, r := range start.state.Releases {
			if len(ids[identityOf(r)]) > 1 || filepath.Base(h.dir) == "applied-twice" {
				continue // what a cluster applies twice is not foreseen
			}
			for _, found := range targetsOf(r) {
				help := remedy(r, found.finding)
				if help == nil || help.Kind == "" {
					continue
				}
				kinds, rule := help.Kind, ""
				if help.Central != nil {
					kinds = strings.TrimSuffix("central,"+strings.TrimPrefix(kinds, "safe"), ",")
				}
				if help.Selected {
					rule = found.finding.Rule
				}
				if why := h.of(kinds, rule).unkept(found, help); why != "" {
					t.Errorf("%s: help promises %v by --fix=%s %s: %s", found, help.Lines, kinds, rule, why)
				}
				if other := found.finding.Fix.Other; other != nil && help.Other != nil {
					if says := help.Other(); strings.HasPrefix(says, "or class") && !runs[other.Class].writes(found, other) {
						t.Errorf("%s: help says %q, and --fix does not", found, says)
					}
				}
			}
		}
	}
}

// writes reports whether --fix writes what a rule offers as the other way. What other repairs make needless is not written.
func (h *helpRuns) writes(found target, other *rules.OtherFix) bool {
	kinds := "unsafe"
	if other.Safe {
		kinds = "safe"
	}
	f := h.of(kinds, "")
	for _, m := range f.made {
		if i := slices.IndexFunc(m.targets, found.is); i >= 0 {
			return reflect.DeepEqual(m.targets[i].finding.Fix.Set, other.Set)
		}
	}
	left := func(r judge.Release) bool { return slices.ContainsFunc(targetsOf(r), found.is) }
	return !slices.ContainsFunc(f.state.Releases, left)
}

// unkept says how repairs do not keep what help promises of a finding; empty if they do. What other repairs make
// needless is not written.
func (r *Repairer) unkept(found target, help *report.Remedy) string {
	now := r.state.Releases[slices.IndexFunc(r.state.Releases, func(n judge.Release) bool { return identityOf(n) == found.release })]
	if i := slices.IndexFunc(targetsOf(now), found.is); i >= 0 {
		return "it is left: " + r.planner.refusalOf(targetsOf(now)[i]).reason
	}
	var as target
	at := slices.IndexFunc(r.made, func(m made) bool {
		i := slices.IndexFunc(m.targets, found.is)
		if i >= 0 {
			as = m.targets[i]
		}
		return i >= 0
	})
	switch {
	case at < 0:
		return ""
	case help.Central == nil && r.made[at].central != nil:
		return "it is a patch"
	case help.Central != nil && (r.made[at].central == nil || r.made[at].central.at.File != help.Central.File):
		return "it is not that patch"
	case help.Central != nil || help.Above:
		return ""
	}
	if writes := Remedies(judge.State{}, nil, false)(as.of, as.finding); slices.Equal(writes.Lines, help.Lines) && slices.Equal(writes.Remove, help.Remove) {
		return ""
	}
	var set map[string]any // that another repair has brought
	if err := yaml.Unmarshal([]byte(strings.Join(help.Lines, "\n")), &set); err != nil {
		return err.Error()
	}
	wrong := ""
	object.Leaves(nil, set, func(path release.Path, value any) {
		if is, _ := now.Value(path); fmt.Sprint(is) != fmt.Sprint(value) {
			wrong = fmt.Sprintf("%s is %v", path, is)
		}
	})
	return wrong
}
