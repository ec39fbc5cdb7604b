package admission

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestLead: the first 200 characters of a denial say a rule that denies, its field and what to
// do, and the release, of which only long names are cut.
func TestLead(t *testing.T) {
	p := newJudge(t)
	long := [2]string{strings.Repeat("n", 63), strings.Repeat("r", 53)}
	for _, of := range [][2]string{{"apps", "app"}, {"monitoring-stack", "kube-prometheus-stack"}, long} {
		name := of[0] + "/" + of[1]
		fixed, helped, named := 0, 0, 0
		for _, d := range denials(t, p) {
			d.review = &Review{Namespace: of[0], Object: map[string]any{"metadata": map[string]any{"name": of[1]}}}
			text := d.message()
			start := text[:min(len(text), maxLead)]
			way, whole := wayOut(p, d)
			release := name[:min(len(name), 38)]
			for _, want := range []string{release, d.Denied[0].Rule, d.Denied[0].Path.String(), way} {
				if want == "" || !strings.Contains(start, want) {
					t.Errorf("the first %d characters do not say %q:\n%s", maxLead, want, text)
				}
			}
			if strings.Contains(start, name) {
				named++
			}
			if whole {
				fixed++
			} else {
				helped++
			}
		}
		if fixed < 50 || helped < 20 || of != long && named < fixed+helped || named < 50 {
			t.Errorf("only %d denials with a fix and %d without; %d name the release %s", fixed, helped, named, name)
		}
	}
}

// wayOut returns how the first line says what to do about the first fault, and whether that is a
// step of the fix, which is never cut.
func wayOut(p *Judge, d *Decision) (said string, whole bool) {
	first := d.Denied[0]
	if rule, _ := p.Engine.Rule(first.Rule); len(d.fix.edits) == 0 || slices.Contains(d.fix.but, first.Rule) {
		help := strings.TrimSuffix(rule.Help, ".")
		return help[:min(len(help), 25)], false
	}
	return step(foremost(leaves(d.fix.edits), first)[0], first.Path), true
}

// denials are those of testdata/admission, and of random objects.
func denials(t *testing.T, p *Judge) (all []*Decision) {
	t.Helper()
	add := func(p *Judge, request *admissionv1.AdmissionRequest, tier release.Tier) {
		d, err := p.Decide(context.Background(), reviewOf(t, request), tier, day)
		if err != nil {
			t.Fatal(err)
		}
		if d.Outcome == Denied {
			all = append(all, d)
		}
	}
	files, err := filepath.Glob("../../../../testdata/admission/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			config := &rules.Config{Spec: c.Config}
			engine, err := p.Engine.Under(config)
			if err != nil {
				t.Fatal(err)
			}
			add(&Judge{Engine: engine, Config: config}, c.request(t), c.Tier)
		}
	}
	random := rand.New(rand.NewPCG(30, 5))
	for range 300 {
		add(p, &admissionv1.AdmissionRequest{Operation: admissionv1.Create, Namespace: "apps", Object: raw(t, admissiontest.RandomObject(random))}, release.Production)
	}
	return all
}

// TestLeadOfAnything: whatever rules of a user say, the first line keeps to its size, and says the
// way out and the release as far as there is room.
func TestLeadOfAnything(t *testing.T) {
	for _, size := range []int{1, 10, 60, 80, 120, 250} {
		for _, fault := range []int{10, 70, 160} {
			for _, help := range []int{10, 60, 400} {
				of := strings.Repeat("n", size) + "/" + strings.Repeat("r", size)
				l := lead{fault: strings.Repeat("f", fault), ways: []string{strings.Repeat("w", help), "remove spec.uninstall"}, more: 3}
				line := l.line(of, "production")
				if len(line) > maxLead+len("...") || !strings.HasPrefix(line, l.fault+": ") {
					t.Errorf("%d: %s", len(line), line)
				}
				if named := "; " + of; !strings.Contains(line, named) && !strings.Contains(line, "; HelmRelease "+of) && !strings.HasSuffix(line, "...") {
					t.Errorf("the names do not end as if they were cut: %s", line)
				}
				if fault < 160 && !strings.Contains(line, of[:min(len(of), 40)]) {
					t.Errorf("the release is not named: %s", line)
				}
			}
		}
	}
}
