package policies_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestRecordings compares the classes with recordings of the real controller
// (testdata/forecast): an accepted release ended as its class promises.
func TestRecordings(t *testing.T) {
	t.Parallel()
	engine, err := rules.New(t.Context(), lawPolicies(t))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[rules.Class]int{}
	for _, r := range recordings(t) {
		class := r.class(t, engine)
		seen[class]++
		stalled := strings.HasPrefix(r.end, "Stalled")
		switch {
		case class == rules.ClassRetry && stalled:
			t.Errorf("class retry, yet %s ends %s: %s", r.scenario, r.end, r.spec)
		case class == rules.ClassBounded && r.scenario == "B" && r.newest != "deployed@1.0.0":
			t.Errorf("class bounded, yet a failing upgrade ends with %s: %s", r.newest, r.spec)
		case class != rules.ClassViolating && r.scenario == "B" && stalled && r.newest == "failed@2.0.0":
			t.Errorf("accepted, yet stalled on the failed version: %s", r.spec)
		}
	}
	for _, class := range []rules.Class{rules.ClassRetry, rules.ClassBounded, rules.ClassViolating} {
		if seen[class] == 0 {
			t.Errorf("no recording is of class %s", class)
		}
	}
	t.Logf("recordings by class: %v", seen)
}

// recording is a line of factorial.txt.gz: the scenario, the failure settings as JSON,
// the state at the end, such as Retrying/backoff, and the newest revision there, as
// status@version.
type recording struct{ scenario, spec, end, newest string }

func recordings(t *testing.T) []recording {
	t.Helper()
	file, err := os.Open("../testdata/forecast/factorial.txt.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []recording
	lines := bufio.NewScanner(unzipped)
	for lines.Scan() {
		f := strings.Split(lines.Text(), "\t")
		all = append(all, recording{scenario: f[0], spec: f[1], end: f[3], newest: f[4]})
	}
	if err := lines.Err(); err != nil || len(all) < 2888 {
		t.Fatalf("%d recordings, error %v", len(all), err)
	}
	return all
}

func (r recording) class(t *testing.T, engine *rules.Engine) rules.Class {
	t.Helper()
	object := written{}.object()
	spec := object["spec"].(map[string]any)
	if err := json.Unmarshal([]byte(r.spec), &spec); err != nil {
		t.Fatal(err)
	}
	hr, err := release.Decode(object, release.Controller{})
	if err != nil {
		t.Fatal(err)
	}
	hr.Tier = release.Production
	verdict, err := engine.Evaluate(t.Context(), hr, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	return verdict.Class
}
