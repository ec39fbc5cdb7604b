package admission

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// preferring returns the rules with fixes that lead to a class.
func preferring(t *testing.T, class rules.Class) *Judge {
	t.Helper()
	p := newJudge(t)
	p.Config = &rules.Config{Spec: rules.ConfigSpec{Fix: rules.FixConfig{Prefer: class}}}
	var err error
	if p.Engine, err = p.Engine.Under(p.Config); err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFixAdmits makes what denials propose: the object is admitted then. No edit is inside
// of another, so that none contradicts another.
func TestFixAdmits(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, prefer := range []rules.Class{rules.ClassRetry, rules.ClassBounded} {
		p, denials, whole := preferring(t, prefer), 0, 0
		create := func(object map[string]any) *Decision {
			r := reviewOf(t, &admissionv1.AdmissionRequest{Operation: admissionv1.Create, Namespace: "apps", Object: raw(t, object)})
			d, err := p.Decide(t.Context(), r, release.Production, day)
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		for range 200 {
			object := admissiontest.RandomObject(random)
			d := create(object)
			if d.Outcome != Denied {
				continue
			}
			denials++
			if len(d.fix.edits) == 0 && slices.ContainsFunc(d.Denied, func(f rules.Finding) bool { return f.Fix != nil }) {
				t.Errorf("no fix for %v of %v", ids(d.Denied), object)
			}
			for i, e := range d.fix.edits {
				if !edit(object, e.Path, e.Value) {
					t.Errorf("%s cannot be set to %v", e.Path, e.Value)
				}
				for _, other := range d.fix.edits[i+1:] {
					if strings.HasPrefix(other.Path.String()+".", e.Path.String()+".") {
						t.Errorf("%s and %s", e.Path, other.Path)
					}
				}
			}
			if len(d.fix.but) == 0 {
				whole++
			}
			if again := create(object); !slices.Equal(ids(again.Denied), d.fix.but) {
				t.Errorf("prefer %s: denied for %v after %v", prefer, ids(again.Denied), d.fix)
			}
		}
		if whole < denials/2 {
			t.Errorf("prefer %s: only %d of %d denials can be fixed as a whole", prefer, whole, denials)
		}
	}
}

// TestFixInText reads the edits as a person would.
func TestFixInText(t *testing.T) {
	edits := []rules.Edit{
		{Path: release.Path{"spec", "install", "strategy", "name"}, Value: "RetryOnFailure"},
		{Path: release.Path{"spec", "upgrade", "remediation"}},
	}
	text := ":\nspec:\n  install:\n    strategy:\n      name: RetryOnFailure\nremove spec.upgrade.remediation"
	for want, f := range map[string]fix{
		"": {}, "\nFix" + text: {edits: edits}, "\nFix of all but a, b" + text: {edits: edits, but: []string{"a", "b"}},
	} {
		if got := f.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
