package main

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestLead: the first 200 characters of a denial say the release, a rule that denies, its
// field and what to do.
func TestLead(t *testing.T) {
	p, err := sources{}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []place{{namespace: "apps", name: "app"}, {namespace: "monitoring-stack", name: "kube-prometheus-stack"}} {
		fixed, helped := 0, 0
		for _, d := range denials(t, p) {
			words := d.words()
			text := words.denial(of)
			start := text[:min(len(text), maxLead)]
			way := wayOut(p, d)
			for _, want := range []string{of.release(), d.denied[0].Rule, d.denied[0].Path.String(), way} {
				if want == "" || !strings.Contains(start, want) {
					t.Errorf("the first %d characters do not say %q:\n%s", maxLead, want, text)
				}
			}
			if strings.HasPrefix(way, "to ") || strings.HasPrefix(way, "remove ") {
				fixed++
			} else {
				helped++
			}
		}
		if fixed < 50 || helped < 20 {
			t.Errorf("only %d denials with a fix and %d without", fixed, helped)
		}
	}
}

// wayOut returns how the first line begins to say what to do about the first fault.
func wayOut(p *ruleset, d *decision) string {
	first := d.denied[0]
	if rule, _ := p.engine.Rule(first.Rule); len(d.fix.edits) == 0 || slices.Contains(d.fix.but, first.Rule) {
		help := strings.TrimSuffix(rule.Help, ".")
		return help[:min(len(help), 25)]
	}
	e := foremost(leaves(d.fix.edits), first)[0]
	if e.Value == nil {
		return "remove "
	}
	said := step(e, first.Path)
	return said[strings.LastIndex(said, "to "):]
}

// denials are those of testdata/admission, and of random objects.
func denials(t *testing.T, p *ruleset) (all []*decision) {
	t.Helper()
	add := func(p *ruleset, request *admissionv1.AdmissionRequest, tier release.Tier) {
		d, err := p.decide(context.Background(), reviewOf(t, request), tier, day)
		if err != nil {
			t.Fatal(err)
		}
		if d.outcome == denied {
			all = append(all, d)
		}
	}
	files, err := filepath.Glob("../../testdata/admission/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			config := &rules.Config{Spec: c.Config}
			engine, err := p.engine.Under(config)
			if err != nil {
				t.Fatal(err)
			}
			add(&ruleset{engine: engine, config: config}, c.request(t), c.Tier)
		}
	}
	random := rand.New(rand.NewPCG(30, 5))
	for range 300 {
		add(p, &admissionv1.AdmissionRequest{Operation: admissionv1.Create, Namespace: "apps", Object: raw(t, randomObject(random))}, release.Production)
	}
	return all
}

// TestLeadOfNames: however long the names and the field are, the first line says the release,
// the rule and some of the way out, and the denial keeps to its size.
func TestLeadOfNames(t *testing.T) {
	l := lead{fault: "uninstall-on-upgrade-failure (spec.upgrade.remediation.remediateLastFailure)", ways: []string{"set it to true", "remove spec.uninstall"}}
	of := strings.Repeat("n", 63) + "/" + strings.Repeat("r", 53) + ": "
	if line := l.line(of); !strings.HasPrefix(line, of+l.fault) || len(line) > maxLead+len("...") {
		t.Errorf("%d: %s", len(line), line)
	}
}
