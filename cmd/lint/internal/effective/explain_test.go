package effective

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
)

// listing returns options under which releases list all their writers.
func listing(t *testing.T, dir string) Options {
	b := build.NewBuilder()
	b.Table.ListWriters = true
	return Options{Config: configOf(t, dir), Builder: b}
}

// What is found does not depend on whether writers are listed.
func TestListingWritersChangesNothing(t *testing.T) {
	eachFleet(t, func(t *testing.T, dir string) {
		want := describe(load(t, dir, Options{Config: configOf(t, dir)}), dir)
		if got := describe(load(t, dir, listing(t, dir)), dir); got != want {
			t.Errorf("with writers\n%s\nwithout\n%s", got, want)
		}
	})
}

// The last that writes a field is the one that it is located at, and what it writes is in
// force. Each explanation ends with the value.
func TestExplain(t *testing.T) {
	eachFleet(t, func(t *testing.T, dir string) {
		for _, r := range load(t, dir, listing(t, dir)).Releases {
			for _, e := range r.Explain(release.Path{"spec"}) {
				explained(t, r, e)
			}
		}
	})
}

func explained(t *testing.T, r *Release, e Explanation) {
	t.Helper()
	name := fmt.Sprintf("%s/%s in %s: %s = %v %+v", r.Namespace, r.Name, r.Cluster, e.Path, e.Value, e.Steps)
	if len(e.Steps) == 0 {
		t.Errorf("%s: nothing sets it", name)
		return
	}
	last := e.Steps[len(e.Steps)-1]
	if _, isList := e.Value.([]any); isList || last.Does == Hides || last.Does == Defaults {
		return
	}
	if !same(last.Value, e.Value) && last.Does != trace.Removes {
		t.Errorf("%s: it ends with %v", name, last.Value)
	}
	if last.Does == trace.Sets && last.File == "" && !strings.Contains(last.What, "template") {
		t.Errorf("%s: it comes from something else", name)
	}
	if by := r.Locate(e.Path); last.Does == trace.Sets && last.File != "" && (by.File != last.File || by.Line != last.Line) {
		t.Errorf("%s: located at %s:%d", name, by.File, by.Line)
	}
}
