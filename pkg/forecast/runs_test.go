package forecast

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestRuns replays what make test-flux has recorded of unmodified controllers, of each version in
// its folder of testdata/forecast, and compares the whole line.
func TestRuns(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "forecast", "*", "runs.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d recordings: %v", len(files), err)
	}
	for _, file := range files {
		version := filepath.Base(filepath.Dir(file))
		t.Run(version, func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
				r := recordedBy(t, version, f)
				if got, want := r.replay(), strings.Join(f[3:], "\t"); got != want {
					t.Errorf("%s %s\nforecast %s\nrecorded %s", f[1], f[0], got, want)
				}
			}
		})
	}
}

// TestBehavioursAreSeen: a behaviour that is said to be seen is missed by a recording of a
// version that does not have it, if forecasts had it there.
func TestBehavioursAreSeen(t *testing.T) {
	old := release.Controller{Version: release.HeldVersions[0].Version}
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "forecast", old.Version, "runs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range release.Changes {
		if c.Kind != release.NewBehaviour || !c.Run {
			continue
		}
		release.Changes[i].Since = "0.0.1"
		missed := 0
		for line := range strings.Lines(string(text)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if r := recordedBy(t, old.Version, f); r.replay() != strings.Join(f[3:], "\t") {
				missed++
			}
		}
		release.Changes[i] = c
		if missed == 0 || old.Does(c.Name) {
			t.Errorf("%s: %d recordings of %s speak against it", c.Name, missed, old.Version)
		}
		t.Logf("%s: %d recordings of %s speak against it", c.Name, missed, old.Version)
	}
}

// TestHeldVersions: what is said of the recordings is so.
func TestHeldVersions(t *testing.T) {
	for _, held := range release.HeldVersions {
		runs := 2888 + 152 + 44 // TestFactorialRecordings and the others hold them to the controller before hack/flux
		if held.Version != release.DefaultControllerVersion {
			text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "forecast", held.Version, "runs.txt"))
			if err != nil {
				t.Fatal(err)
			}
			runs = strings.Count(string(text), "\n")
		}
		if runs != held.Runs {
			t.Errorf("%d runs of %s are recorded, and %d are said to be", runs, held.Version, held.Runs)
		}
	}
	folders, err := filepath.Glob(filepath.Join("..", "..", "testdata", "forecast", "*", "runs.txt"))
	if err != nil || len(folders) != len(release.HeldVersions)-1 {
		t.Errorf("%v: add each version to release.HeldVersions (%v)", folders, err)
	}
}

// recordedRun is a run of a controller of some version.
type recordedRun struct {
	*simulation
	steps    int    // that wrote a record
	end      string // stalled, ready, deleted; retrying and idle until the interval were cut
	failures int
}

// recordedBy returns the run that the fields of a line describe.
func recordedBy(t *testing.T, version string, f []string) recordedRun {
	t.Helper()
	fields := map[string]any{"interval": "1h", "timeout": "30s"}
	if err := json.Unmarshal([]byte(f[2]), &fields); err != nil {
		t.Fatal(err)
	}
	one, err := release.Decode(map[string]any{
		"apiVersion": release.Group + "/v2", "kind": "HelmRelease", "spec": fields,
	}, release.Controller{Version: version})
	if err != nil || one.Settings == nil {
		t.Fatalf("%s: %v", f[2], err)
	}
	scenario, err := Find(f[1])
	if err != nil {
		t.Fatal(err)
	}
	counters := strings.Fields(f[8])
	failures, err := strconv.Atoi(counters[len(counters)-1])
	if err != nil {
		t.Fatal(err)
	}
	return recordedRun{
		simulation: newSimulation(one.Settings, one.Controller, &scenario, Options{Instant: true}),
		steps:      len(strings.Fields(strings.TrimPrefix(f[3], "-"))), end: f[4], failures: failures,
	}
}

// replay simulates the run, up to where the recording was cut, and describes it in the same
// words.
func (r *recordedRun) replay() string {
	end := ""
	for result := range r.reconciles() {
		end = r.endText(result)
		cut := end == r.end && (end == "retrying" || end == "idle" || end == "error")
		if cut && len(r.written()) >= r.steps && r.status.failures.all >= r.failures && r.status.conditions[ready].status != "" {
			break
		}
	}
	if end == "deleted" { // what its status says in the end, nobody sees
		return strings.Join([]string{strings.Join(r.written(), " "), end, "-", storageStatus(r.storage.records), "-", "0 0 0"}, "\t")
	}
	var history []string
	for _, s := range r.status.history {
		history = append(history, fmt.Sprintf("%d:%s@%s", s.revision, s.status, charts[s.version]))
	}
	return strings.Join([]string{
		cmp.Or(strings.Join(r.written(), " "), "-"), end, cmp.Or(strings.Join(history, " "), "-"), storageStatus(r.storage.records),
		conditionsText(r.status.conditions), fmt.Sprint(r.status.failures.install, r.status.failures.upgrade, r.status.failures.all),
	}, "\t")
}

var charts = map[Version]string{Old: "1.0.0", New: "2.0.0", Fixed: "2.0.1", BadFix: "2.0.2"}

// written lists the steps that wrote a record of their own, or removed one. An uninstall that
// is tried again leaves its record as it is, and is listed once.
func (r *recordedRun) written() []string {
	var words []string
	for _, s := range r.journal.steps {
		if letter := letters[s.Action]; s.Revision > 0 && s.Action != Unlock && s.Action != Test && s.Action != Correct {
			word := fmt.Sprintf("%s%d%s", letter, s.Revision, signs[s.Result])
			if s.Action == Uninstall && slices.Contains(words[max(0, len(words)-1):], word) {
				continue
			}
			words = append(words, word)
		}
	}
	return words
}

func (r *recordedRun) endText(result reconcileResult) string {
	switch end := endOf(&r.state, result); {
	case end == Waiting:
		return "retrying"
	case end == Retrying && result == atInterval:
		return "idle"
	default:
		return strings.ToLower(string(end))
	}
}
