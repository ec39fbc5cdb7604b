package forecast

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
)

// TestLiveRecordings: started from the status that was recorded after each
// reconcile, the rest of the run is as it was recorded; where a status allows
// several situations, one of them leads to it. Storage is not compared: what it held
// before is not in a status.
func TestLiveRecordings(t *testing.T) {
	tried, ambiguous, exact := 0, 0, 0
	for _, r := range steps(t) {
		recorded := strings.Split(r.want, "\n")[1:]
		s := r.simulation(7)
		i := 0
		for range s.reconciles() {
			live := liveOf(&r, recorded[i])
			around := s.world
			around.used = slices.Clone(s.world.used)
			all := situations(&r.settings, release.Controller{}, live)
			agree, exactly := false, false
			var got string
			for _, one := range all {
				got = rest(&r, one, around, s.rounds, len(recorded)-i-1)
				want := text(recorded, i, false)
				if want == withoutBackoff(got) {
					agree = true
					exactly = exactly || got == text(recorded, i, true)
				}
			}
			tried++
			if len(all) > 1 {
				ambiguous++
			}
			if exactly {
				exact++
			}
			if !agree {
				t.Errorf("%s, after reconcile %d: %s\nforecast %s\nrecorded %s", r.name, i+1, recorded[i], got, text(recorded, i, false))
			}
			i++
		}
	}
	t.Logf("%d statuses, %d of them ambiguous; %d with the exact back-off", tried, ambiguous, exact)
}

// liveOf makes a live object of a recorded reconcile.
func liveOf(r *recording, line string) *release.Live {
	f := strings.Split(line, "\t")
	counters := strings.Fields(f[2])
	number := func(i int) int64 {
		n, _ := strconv.Atoi(counters[i])
		return int64(n)
	}
	live := &release.Live{Generation: 1, Finalizer: true}
	o := &live.Status
	o.InstallFailures, o.UpgradeFailures, o.Failures, o.ObservedGeneration = number(0), number(1), number(2), number(4)
	if counters[3] != "-" {
		o.LastAttemptedReleaseAction = helmv2.ReleaseAction(counters[3])
	}
	if f[3] != "-" {
		o.LastAttemptedGeneration, o.LastAttemptedRevision = 1, r.chart(New)
		for _, c := range strings.Fields(f[3]) {
			name, rest, _ := strings.Cut(c, "=")
			st, reason, _ := strings.Cut(rest, "/")
			o.Conditions = append(o.Conditions, metav1.Condition{Type: name, Status: metav1.ConditionStatus(st), Reason: reason, ObservedGeneration: 1})
		}
	}
	if f[4] != "-" {
		for _, s := range strings.Fields(f[4]) {
			p := strings.Split(s, ":")
			version, _ := strconv.Atoi(p[0])
			st, chart, _ := strings.Cut(p[1], "@")
			o.History = append(o.History, &helmv2.Snapshot{Version: version, Status: st, ChartVersion: chart, Action: helmv2.ReleaseAction(p[2])})
		}
	}
	return live
}

// rest writes what follows in a situation, as text writes it.
func rest(r *recording, from situation, around world, rounds, limit int) string {
	wait, again := from.pending()
	result := requeueText(from.result, wait)
	if from.result == unfinished {
		result = "killed"
	}
	lines := []string{fmt.Sprintf("%s %g", result, wait.Seconds())}
	if !again || limit == 0 {
		return lines[0]
	}
	s := from.resume(around, Options{Instant: true, Rounds: 7})
	if from.result != unfinished {
		s.rounds = rounds
	}
	done := 0
	for v, wait := range s.reconciles() {
		o := &s.status
		lines = append(lines, fmt.Sprintf("%s %g\t%s\t%d %d %d %s %d\t%s\t%s", requeueText(v, wait), wait.Seconds(),
			r.actions(s.journal.steps[done:]), o.failures.install, o.failures.upgrade, o.failures.all, cmp.Or(o.last, "-"), o.observedGeneration,
			conditionsText(o.conditions), r.historyText(o.history)))
		done = len(s.journal.steps)
	}
	return strings.Join(lines, "\n")
}

// text writes the rest of a recording from a reconcile on: of that one only its result.
func text(recorded []string, i int, backoff bool) string {
	var lines []string
	for n, line := range recorded[i:] {
		f := strings.Split(line, "\t")
		_, f[0], _ = strings.Cut(f[0], " ")
		if n == 0 {
			f = f[:1]
		} else {
			f = f[:5]
		}
		lines = append(lines, strings.Join(f, "\t"))
	}
	all := strings.Join(lines, "\n")
	if backoff {
		return all
	}
	return withoutBackoff(all)
}

// withoutBackoff leaves out how long the queue's back-off is.
func withoutBackoff(text string) string {
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		result, rest, _ := strings.Cut(line, "\t")
		word, _, _ := strings.Cut(result, " ")
		if word == "requeue" || word == "error" {
			result = word
		}
		lines = append(lines, result+"\t"+rest)
	}
	return strings.Join(lines, "\n")
}

// TestLiveCluster: from the last status of each run on a real API server, what was
// given up stays so, and what was Ready or went on does.
func TestLiveCluster(t *testing.T) {
	for _, r := range cluster(t) {
		f := strings.Split(r.want, "\t")
		live := liveOf(&r, strings.Join([]string{"", "", clusterCounters(f[4], f[0]), f[3], clusterHistory(f[2], f[1])}, "\t"))
		out := Outlooks(r.settings, release.Controller{}, live, Options{})[0]
		end := strings.ToLower(string(out.Stays.Outcome.End))
		if want := f[1]; end != want && (end != "retrying" || !strings.HasPrefix(want, "max-")) {
			t.Errorf("%s: %s, recorded %s\n%s", r.name, out.Stays.Outcome, want, r.want)
		}
		if out.Next.Again == (f[1] == "stalled") {
			t.Errorf("%s: next %+v, recorded %s", r.name, out.Next, f[1])
		}
	}
}

// clusterCounters writes counters as liveOf reads them.
func clusterCounters(counters, word string) string {
	words := strings.Fields(strings.NewReplacer("R", "", "X", "").Replace(word))
	last := "install"
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, "U") }) {
		last = "upgrade"
	}
	return fmt.Sprintf("%s 0 %s 1", counters, last)
}

// clusterHistory writes the newest records of Helm's storage as the history, the good
// ones of the old version unless the release is Ready.
func clusterHistory(storage, end string) string {
	if storage == "-" {
		return "-"
	}
	var all []string
	for _, rec := range strings.Fields(storage) {
		version := "1.0.0"
		if strings.HasSuffix(rec, ":failed") || end == "ready" && strings.HasSuffix(rec, ":deployed") {
			version = "2.0.0"
		}
		all = append(all, rec+"@"+version+":")
	}
	return strings.Join(all, " ")
}
