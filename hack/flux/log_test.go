//go:build flux

package flux

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// log is all that happens to a release and its Helm records, in the order of the API server.
type log struct {
	mu      sync.Mutex
	entries []entry
	start   int // where the scenario begins
	final   int // where it ends
	steady  bool
	lost    bool          // the controller could not write a status
	offered string        // the version of the chart that is there
	changed chan struct{} // holds a value after an entry
}

// entry is one change: of the HelmRelease or of a record, which has a revision.
type entry struct {
	at       time.Time
	version  int64 // of the object, increasing over all
	deleted  bool
	object   *unstructured.Unstructured // of the HelmRelease
	revision int
	status   string // of the record
	cut      bool   // the controller is ended here
	byHand   bool   // somebody deletes the records here
}

func newLog() *log { return &log{changed: make(chan struct{}, 1)} }

// add notes a change.
func (l *log) add(u *unstructured.Unstructured, deleted bool) {
	version, _ := strconv.ParseInt(u.GetResourceVersion(), 10, 64)
	e := entry{at: time.Now(), version: version, deleted: deleted}
	if u.GetKind() == "HelmRelease" {
		e.object = u
	} else {
		e.revision, _ = strconv.Atoi(u.GetLabels()["version"])
		e.status = u.GetLabels()["status"]
		if !deleted {
			e.at = written(u)
		}
	}
	l.insert(e)
}

// written returns when an object was written, as the API server notes it: however late a watch sees it.
func written(u *unstructured.Unstructured) time.Time {
	at := u.GetCreationTimestamp().Time
	for _, m := range u.GetManagedFields() {
		if m.Time != nil && m.Time.After(at) {
			at = m.Time.Time
		}
	}
	return at
}

// heedLost notes of which release the controller could not write what it has done: it tries five times
// to write over what its cache holds, which may be older, and after that nothing makes it look again.
// Source: patchStatusConditions in github.com/fluxcd/pkg/runtime/patch.
func heedLost(c *Cluster, logs *sync.Map) {
	namespace := regexp.MustCompile(`"namespace": "([^"]+)"`)
	c.heed = func(line string) {
		if !strings.Contains(line, "Reconciler error") || !strings.Contains(line, "timed out waiting for the condition") {
			return
		}
		m := namespace.FindStringSubmatch(line)
		if l, found := logs.Load(m[1]); found {
			l.(*log).lose()
		}
	}
}

func (l *log) lose() {
	l.mu.Lock()
	l.lost = true
	l.mu.Unlock()
	l.wake()
}

func (l *log) isLost() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// cut notes that the controller is ended.
func (l *log) cut() {
	all := l.all()
	l.insert(entry{at: time.Now(), version: all[len(all)-1].version, cut: true})
}

// taken notes that somebody is about to delete the records.
func (l *log) taken() {
	all := l.all()
	l.insert(entry{at: time.Now(), version: all[len(all)-1].version, byHand: true})
}

func (l *log) insert(e entry) {
	l.mu.Lock()
	l.entries = append(l.entries, e)
	slices.SortStableFunc(l.entries, func(a, b entry) int { return int(a.version - b.version) })
	l.mu.Unlock()
	l.wake()
}

func (l *log) wake() {
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

func (l *log) all() []entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries)
}

// begin lets the scenario begin here. A steady one begins with the release at rest.
func (l *log) begin(steady bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start, l.steady = len(l.entries), steady
}

// says returns what a condition of the HelmRelease says, as Status/Reason.
func (e *entry) says(kind string) (status, reason string) {
	if e.object == nil {
		return "", ""
	}
	c := condition(e.object, kind)
	status, _ = c["status"].(string)
	reason, _ = c["reason"].(string)
	return status, reason
}

// resting reports whether the HelmRelease is between two reconciles, and whether there will not
// be another soon.
func (e *entry) resting() (rests, idle bool) {
	if e.object == nil {
		return false, false
	}
	if e.deleted {
		return true, true
	}
	stalled, _ := e.says("Stalled")
	reconciling, reason := e.says("Reconciling")
	ready, why := e.says("Ready")
	observed, _, _ := unstructured.NestedInt64(e.object.Object, "status", "observedGeneration")
	switch {
	case e.object.GetDeletionTimestamp() != nil:
		return why == "UninstallFailed", false
	case stalled == "True" && reconciling != "True":
		return observed == e.object.GetGeneration(), true
	case ready == "False" && why == "StateError":
		return true, true
	case e.lacking():
		return true, false
	case reconciling == "True":
		return reason == "ProgressingWithRetry", false
	case ready == "False" && why == "RetryAfterInterval":
		return true, false
	}
	return ready != "" && ready != "Unknown" && observed == e.object.GetGeneration(), true
}

// lacking reports whether the release waits for what it needs.
func (e *entry) lacking() bool {
	ready, why := e.says("Ready")
	return ready == "False" && slices.Contains([]string{"DependencyNotReady", "SourceNotReady", "ValuesError"}, why)
}

// rests returns the index of the newest state of the HelmRelease if it is at rest, else -1.
func (l *log) rests() (at int, idle bool) {
	all := l.all()
	for i, e := range slices.Backward(all) {
		if e.object == nil {
			continue
		}
		rests, idle := e.resting()
		if !rests || i < l.start && !l.steady {
			return -1, false
		}
		return i, idle
	}
	return -1, false
}

// errs returns the index of the state that the newest failure left which wrote no record, once the
// next attempt has begun; -1 if there are fewer than limit in the status.
func (l *log) errs(limit int) int {
	all := l.all()
	begun := -1
	for i, e := range slices.Backward(all) {
		if e.object == nil || i < l.start {
			continue
		}
		if ready, _ := e.says("Ready"); ready == "Unknown" {
			begun = i
			continue
		}
		failures, _, _ := unstructured.NestedInt64(e.object.Object, "status", "failures")
		if begun >= 0 && int(failures) >= limit {
			return i
		}
	}
	return -1
}

// ready reports whether the release is deployed and all is said of it.
func (l *log) ready() bool {
	at, idle := l.rests()
	if at < 0 || !idle {
		return false
	}
	status, _ := l.all()[at].says("Ready")
	history, _, _ := unstructured.NestedSlice(l.all()[at].object.Object, "status", "history")
	return status == "True" && len(history) > 0
}

// offer notes the version of the chart that is there now.
func (l *log) offer(version string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.offered = version
}

// seen reports whether the controller has taken the version that is there.
func (l *log) seen() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range slices.Backward(l.entries) {
		if e.object != nil {
			revision, _, _ := unstructured.NestedString(e.object.Object, "status", "lastAttemptedRevision")
			return plain(revision) == l.offered
		}
	}
	return false
}

// deleted reports whether the HelmRelease is gone.
func (l *log) deleted() bool {
	return slices.ContainsFunc(l.all(), func(e entry) bool { return e.object != nil && e.deleted })
}

// movedOn reports whether the next reconcile has begun after a state at rest.
func (l *log) movedOn(at int) bool {
	return slices.ContainsFunc(l.all()[at:], func(e entry) bool {
		if e.object == nil {
			return !e.deleted && (strings.HasPrefix(e.status, "pending-") || e.status == "uninstalling")
		}
		rests, _ := e.resting()
		return !rests
	})
}

// failures counts the failed attempts of the scenario.
func (l *log) failures() int {
	n := 0
	for _, s := range l.steps() {
		if s.result == "-" {
			n++
		}
	}
	all := l.all()
	for _, e := range slices.Backward(all) {
		if e.object != nil {
			unrecorded, _, _ := unstructured.NestedInt64(e.object.Object, "status", "failures")
			return max(n, int(unrecorded))
		}
	}
	return n
}

// end notes the index of the state at rest that the run ends with.
func (l *log) end(at int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.final = at
}

// last returns the state that the run ends with, once it is complete.
func (l *log) last() *entry {
	all := l.all()
	last := l.final
	if rests, _ := all[last].resting(); !rests {
		return &all[last]
	}
	for i := l.final; i < len(all); i++ {
		if all[i].object == nil {
			continue
		}
		if rests, _ := all[i].resting(); !rests {
			break
		}
		if !all[i].deleted {
			last = i
		}
	}
	return &all[last]
}

// erred reports whether a state is one that an error has left, of which all is said.
func (l *log) erred(at int) bool {
	all := l.all()
	for at < len(all)-1 && all[at].object == nil {
		at++ // a record that a watch saw late stands there now
	}
	e := all[at]
	rests, _ := e.resting()
	_, reason := e.says("Ready")
	return !rests || reason == "StateError" || e.lacking()
}

// stale reports whether a release is ready and said to be stalled: 1.4.0 may leave that for the
// next look, if a fix arrives in the moment in which it stalls.
func (l *log) stale(at int) bool {
	e := l.all()[at]
	if e.object == nil {
		return false
	}
	ready, _ := e.says("Ready")
	stalled, _ := e.says("Stalled")
	return ready == "True" && stalled == "True"
}

// step is an action that has written a Helm record.
type step struct {
	action, result string // I U R X; + - and ! for one that was cut off
	revision       int
	begun, ended   time.Time
}

// steps reads the actions from what became of the records.
func (l *log) steps() []step { return stepsOf(l.all(), l.start) }

func stepsOf(all []entry, start int) []step {
	var out []step
	status := map[int]string{}
	for i, e := range all {
		if e.object != nil {
			continue
		}
		if e.cut || e.byHand {
			end := "!"
			if e.byHand {
				end = "-"
			}
			for j := range out {
				out[j].result = cmp.Or(out[j].result, end)
			}
			continue
		}
		before := status[e.revision]
		if status[e.revision] = e.status; e.deleted {
			delete(status, e.revision)
		}
		if i < start {
			continue
		}
		out = e.follow(out, before)
	}
	return out
}

var begins = map[string]string{"pending-install": "I", "pending-upgrade": "U", "pending-rollback": "R", "uninstalling": "X"}

// follow adds what a change of a record, which had a status before, says of the actions.
func (e *entry) follow(steps []step, before string) []step {
	i := -1
	for j := range steps {
		if steps[j].revision == e.revision && steps[j].result == "" {
			i = j
		}
	}
	action := begins[e.status]
	switch {
	case e.deleted && before == "uninstalling" && i >= 0:
		steps[i].result = "+" // when, nobody has noted
	case e.deleted:
	case action != "" && e.status != before:
		steps = append(steps, step{action: action, revision: e.revision, begun: e.at})
	case i >= 0 && (e.status == "deployed" || e.status == "uninstalled"):
		steps[i].result, steps[i].ended = "+", e.at
	case i >= 0 && e.status == "failed":
		steps[i].result, steps[i].ended = "-", e.at
	}
	return steps
}

// String is for who asks why a run does not end.
func (l *log) String() string {
	var b strings.Builder
	for _, e := range l.all() {
		fmt.Fprintf(&b, "%s %d ", e.at.Format("05.000"), e.version)
		if e.cut {
			fmt.Fprintln(&b, "the controller is ended")
			continue
		}
		if e.object == nil {
			fmt.Fprintf(&b, "record %d %s deleted=%t\n", e.revision, e.status, e.deleted)
			continue
		}
		for _, kind := range []string{"Ready", "Reconciling", "Stalled", "Released", "Remediated", "TestSuccess"} {
			if status, reason := e.says(kind); status != "" {
				fmt.Fprintf(&b, "%s=%s/%s ", kind, status, reason)
			}
		}
		failures, _, _ := unstructured.NestedInt64(e.object.Object, "status", "failures")
		fmt.Fprintf(&b, "failures=%d generation=%d deleted=%t\n", failures, e.object.GetGeneration(), e.deleted)
	}
	return b.String()
}
