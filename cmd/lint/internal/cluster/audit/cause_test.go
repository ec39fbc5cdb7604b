package audit

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
)

// Two HelmReleases with one Helm release fight, though both are Ready; one that is suspended
// does not, and one of another namespace has another.
func TestFights(t *testing.T) {
	named := func(namespace, name string, suspend bool) map[string]any {
		object := ready(namespace, name)
		spec := object["spec"].(map[string]any)
		spec["releaseName"], spec["suspend"] = "twin", suspend
		return object
	}
	r := collected(t, "{}", nil, named("apps", "a", false), named("apps", "b", false), named("apps", "c", true), named("data", "d", false))
	if got := textOf(t, r, Options{Outputs: []string{"text"}}); strings.Count(got, "one: apps/a has the same Helm release as apps/b: ") != 1 || strings.Count(got, "the same Helm release") != 1 || !r.Fails("error") {
		t.Errorf("%q, fails: %t", got, r.Fails("error"))
	}
}

// An earlier report says what is new, gone and longer stuck, and what cannot be compared.
func TestCompare(t *testing.T) {
	file := filepath.Join(t.TempDir(), "before.json")
	before := func(objects ...map[string]any) map[string]*livetest.Server {
		return map[string]*livetest.Server{"one": livetest.New(t, objects...), "two": livetest.New(t, stalled("apps", "x"))}
	}
	save := func(r overview.Report) {
		data, err := json.Marshal(r)
		if err == nil {
			err = os.WriteFile(file, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	first := run(t, Options{All: true}, before(stalled("apps", "a"), stalled("apps", "b"), stalled("apps", "c"), ready("apps", "d")))
	save(first)
	var again overview.Report
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &again)
	}
	if err != nil || len(again.Releases) != len(first.Releases) || !reflect.DeepEqual(again.Summary, first.Summary) {
		t.Errorf("%v: a report is read as another one: %+v", err, again)
	}
	servers := before(stalled("apps", "a"), ready("apps", "b"), stalled("apps", "d"))
	servers["two"].Before = refuse("/apis/helm.toolkit.fluxcd.io")
	r := run(t, Options{All: true}, servers)
	if err := r.Compare(file); err != nil {
		t.Fatal(err)
	}
	want := &overview.Changes{New: []string{"one: apps/d"}, Gone: []string{"one: apps/b", "one: apps/c"}, Longer: []string{"one: apps/a"}, Again: []string{}, Unknown: []string{"two: apps/x"}}
	if !reflect.DeepEqual(r.Changes, want) {
		t.Errorf("%+v, want %+v", r.Changes, want)
	}
	save(r)
	r = first
	if err := r.Compare(file); err != nil || strings.Join(r.Changes.Unknown, " ") != "two: apps/x" {
		t.Errorf("%v, %+v", err, r.Changes)
	}
	early := first
	early.Time = clock(now.Add(-3 * time.Hour)) // they are stuck since two hours
	save(early)
	if err := r.Compare(file); err != nil || len(r.Changes.Again) != 4 || len(r.Changes.Longer)+len(r.Changes.New)+len(r.Changes.Gone) > 0 {
		t.Errorf("%v, %+v", err, r.Changes)
	}
	for _, text := range []string{"", "{}", "[]", `{"kind": "AuditReport"}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := r.Compare(file); err == nil || !strings.HasPrefix(err.Error(), "--since: read ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
