package forecast

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// recording is one run of the real controller: what went in, and what came out
// in the words of testdata/forecast/README.md.
type recording struct {
	name     string
	scenario string // its name here
	fresh    bool
	settings release.Settings
	gate     bool
	want     string
	// replay simulates the run and describes it in the same words.
	replay func(*recording) string
}

var recordedScenarios = map[string]string{
	"A": "install-fails", "A1": "install-fails-once", "B": "upgrade-fails", "B1": "upgrade-fails-once",
	"C1": "killed-in-upgrade", "C2": "killed-in-upgrade-then-fails",
	"C3": "killed-in-install-then-fails", "C4": "killed-in-install",
}

var clusterScenarios = map[string]string{
	"A": "install-fails", "B": "upgrade-fails", "C": "fix-arrives", "E": "cause-goes-away",
}

func TestFactorialRecordings(t *testing.T) { agree(t, factorial(t), 2888) }

func TestStepRecordings(t *testing.T) { agree(t, steps(t), 152) }

func TestClusterRecordings(t *testing.T) { agree(t, cluster(t), 44) }

func agree(t *testing.T, recordings []recording, want int) {
	t.Helper()
	if len(recordings) != want {
		t.Errorf("%d recordings, want %d", len(recordings), want)
	}
	disagreements := 0
	for _, r := range recordings {
		if got := r.replay(&r); got != r.want {
			disagreements++
			if disagreements <= 5 {
				t.Errorf("%s\nforecast %s\nrecorded %s", r.name, got, r.want)
			}
		}
	}
	if disagreements > 0 {
		t.Errorf("%d of %d recordings are not as forecast", disagreements, len(recordings))
	}
}

func factorial(tb testing.TB) []recording {
	var all []recording
	for _, line := range lines(tb, "factorial.txt.gz") {
		f := strings.Split(line, "\t")
		r := recorded(tb, recordedScenarios[f[0]], f[1], false)
		r.name, r.want, r.replay = f[0]+" "+f[1], strings.Join(f[2:], "\t"), replayFactorial
		all = append(all, r)
	}
	return all
}

// replayFactorial writes the actions, the end, the newest record, the
// conditions and the counters. A run was cut after eight reconciles of one
// process.
func replayFactorial(r *recording) string {
	s, v := r.run(8)
	newest := "nothing installed"
	if last := s.storage.last(); last != nil {
		newest = r.recordText(*last, "")
	}
	return strings.Join([]string{
		r.actions(s.journal.steps), endText(s, v), newest, conditionsText(s.status.conditions),
		fmt.Sprint(s.status.failures.install, s.status.failures.upgrade),
	}, "\t")
}

func steps(tb testing.TB) []recording {
	var all []recording
	for _, line := range lines(tb, "steps.txt.gz") {
		f := strings.Split(line, "\t")
		if f[0] != "run" {
			all[len(all)-1].want += "\n" + line
			continue
		}
		r := recorded(tb, recordedScenarios[f[2]], f[4], f[3] == "gate")
		r.name, r.want, r.replay = f[1]+" "+f[2], strings.Join(f[5:], "\t"), replaySteps
		all = append(all, r)
	}
	return all
}

// replaySteps writes the end and each reconcile: its time, result and
// delay, its actions, counters, conditions, status history and Helm storage. A
// run was cut after seven reconciles of one process.
func replaySteps(r *recording) string {
	var trace strings.Builder
	s := r.simulation(7)
	at, done, last := time.Duration(0), 0, unfinished
	for v, wait := range s.reconciles() {
		o := &s.status
		fmt.Fprintf(&trace, "\n%g %s %g\t%s\t%d %d %d %s %d\t%s\t%s\t%s",
			at.Seconds(), requeueText(v, wait), wait.Seconds(), r.actions(s.journal.steps[done:]),
			o.failures.install, o.failures.upgrade, o.failures.all, cmp.Or(o.last, "-"), o.observedGeneration,
			conditionsText(o.conditions), r.historyText(o.history), r.storageText(s.storage.records))
		at, done, last = at+wait, len(s.journal.steps), v
	}
	newest := "nothing installed"
	if last := s.storage.last(); last != nil {
		newest = r.recordText(*last, "")
	}
	end := endText(s, last)
	if last == inError {
		end = "Retrying/error-backoff"
	}
	return end + "\t" + newest + trace.String()
}

func cluster(tb testing.TB) []recording {
	var all []recording
	for _, line := range lines(tb, "cluster.txt.gz") {
		f := strings.Split(line, "\t")
		r := recorded(tb, clusterScenarios[f[1]], f[2], false)
		r.name, r.want, r.replay = f[0], strings.Join(f[3:], "\t"), replayCluster
		all = append(all, r)
	}
	return all
}

// replayCluster writes the actions, the end, the Helm storage, the conditions
// and the counters. An endless run was cut after some actions.
func replayCluster(r *recording) string {
	word, recordedEnd, _ := strings.Cut(r.want, "\t")
	recordedEnd, _, _ = strings.Cut(recordedEnd, "\t")
	want := len(strings.Fields(word))
	if !r.fresh {
		want-- // the first install is where the scenario starts
	}
	s, v := r.run(1)
	for rounds := 2; len(s.journal.steps) < want && rounds < 100; rounds++ {
		s, v = r.run(rounds)
	}
	end := strings.ToLower(string(endOf(&s.state, v)))
	if end == "retrying" && strings.HasPrefix(recordedEnd, "max-") {
		end = recordedEnd
	}
	return strings.Join([]string{
		r.word(s.journal.steps), end, storageStatus(s.storage.records), conditionsText(s.status.conditions),
		fmt.Sprint(s.status.failures.install, s.status.failures.upgrade),
	}, "\t")
}

// lines reads the digest of a recording.
func lines(tb testing.TB, name string) []string {
	tb.Helper()
	file, err := os.Open(filepath.Join("..", "..", "testdata", "forecast", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	scan := bufio.NewScanner(text)
	scan.Buffer(nil, 1<<20)
	for scan.Scan() {
		all = append(all, scan.Text())
	}
	if err := scan.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// recorded returns a recording of a scenario with the settings of a spec in JSON.
func recorded(tb testing.TB, scenario, spec string, gate bool) recording {
	tb.Helper()
	found, err := Find(scenario)
	if err != nil {
		tb.Fatal(err)
	}
	return recording{scenario: scenario, fresh: found.fresh, gate: gate, settings: decode(tb, spec, gate)}
}

// decode returns the effective settings of a spec in JSON, whose interval
// is 10m.
func decode(tb testing.TB, spec string, gate bool) release.Settings {
	tb.Helper()
	fields := map[string]any{"interval": "10m"}
	if err := json.Unmarshal([]byte(spec), &fields); err != nil {
		tb.Fatal(err)
	}
	release, err := release.Decode(map[string]any{
		"apiVersion": release.Group + "/v2", "kind": "HelmRelease", "spec": fields,
	}, release.Controller{Gates: release.Gates{"DefaultToRetryOnFailure": gate}})
	if err != nil || release.Settings == nil {
		tb.Fatalf("%s: %v", spec, err)
	}
	return *release.Settings
}

// simulation prepares a run in which, as in the recordings, actions take no
// time.
func (r *recording) simulation(rounds int) *simulation {
	scenario, _ := Find(r.scenario)
	return newSimulation(&r.settings, release.Controller{}, &scenario, Options{Instant: true, Rounds: rounds})
}

func (r *recording) run(rounds int) (*simulation, reconcileResult) {
	s := r.simulation(rounds)
	return s, s.drive()
}
