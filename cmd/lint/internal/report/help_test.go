package report

import (
	"slices"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// A patch is shown with the releases that it reaches, and with their number; what it does not
// reach is another block.
func TestHelpOfPatches(t *testing.T) {
	found := func(name, file string, site *Site) Finding {
		f := Finding{Rule: "r", Severity: rules.Error, Fix: &rules.Fix{Safe: true}, Remedy: &Remedy{Kind: "safe", Lines: []string{"spec: {}"}, Central: site}}
		f.Release, f.Clusters = release.Name{Namespace: "shop", Name: name}, []string{"live"}
		f.File, f.Line, f.Path, f.Field = file, 4, "spec", "HelmRelease shop/"+name+" spec"
		return f
	}
	at := func(file string, lines ...string) *Site {
		return &Site{Place: Place{File: file, Line: 1, What: file}, Lines: lines, Releases: 2}
	}
	for name, tc := range map[string]struct {
		findings []Finding
		want     []string
	}{
		"all of a patch":    {[]Finding{found("a", "a.yaml", at("k.yaml", "p")), found("b", "b.yaml", at("k.yaml", "p"))}, []string{"a b: one patch in k.yaml sets this for 2 releases (--fix=central applies it)"}},
		"a part of a patch": {[]Finding{found("a", "a.yaml", at("k.yaml", "p"))}, []string{"a: one patch in k.yaml sets this for 2 releases, 1 of them here (--fix=central applies it)"}},
		"what it does not reach": {
			[]Finding{found("a", "a.yaml", at("k.yaml", "p")), found("b", "b.yaml", at("k.yaml", "p")), found("c", "c.yaml", nil)},
			[]string{"a b: one patch in k.yaml sets this for 2 releases (--fix=central applies it)", "c: set this (--fix applies it)"},
		},
		"the same in two places": {
			[]Finding{found("a", "a.yaml", at("k.yaml", "p")), found("b", "b.yaml", at("l.yaml", "p"))},
			[]string{"a b: one patch in each of 2 places sets this for 2 releases (--fix=central applies it)"},
		},
		"another patch": {
			[]Finding{found("a", "a.yaml", at("k.yaml", "p")), found("b", "b.yaml", at("l.yaml", "q"))},
			[]string{"a: one patch in k.yaml sets this for 2 releases, 1 of them here (--fix=central applies it)", "b: one patch in l.yaml sets this for 2 releases, 1 of them here (--fix=central applies it)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, b := range blocks(tc.findings) {
				text, _ := Options{}.help(b)
				var of []string
				for _, release := range b.releaseNames() {
					of = append(of, strings.TrimPrefix(release, "shop/"))
				}
				got = append(got, strings.Join(of, " ")+": "+text)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tc.want, "\n"))
			}
		})
	}
}
