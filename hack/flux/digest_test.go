//go:build flux

package flux

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// digest describes a run in one line, in the words of testdata/forecast/README.md.
func (l *log) digest(name, scenario string, spec map[string]any) string {
	last, all := l.last(), l.all()
	if last.object == nil {
		return strings.Join([]string{name, scenario, "nothing", "", "", ""}, "\t")
	}
	end := slices.IndexFunc(all, func(e entry) bool { return e.version == last.version && e.object != nil })
	text, _ := json.Marshal(spec) // from JSON
	if l.deleted() {              // what its status said in the end, nobody sees
		return strings.Join([]string{name, scenario, string(text), word(stepsOf(all, l.start)), "deleted", "-", storage(all), "-", "0 0 0"}, "\t")
	}
	return strings.Join([]string{
		name, scenario, string(text), word(stepsOf(all[:end], l.start)), l.outcome(last), last.history(), storage(all[:end]),
		last.conditions(), last.counters(),
	}, "\t")
}

// word writes actions with their revisions.
func word(steps []step) string {
	var words []string
	for _, s := range steps {
		words = append(words, fmt.Sprintf("%s%d%s", s.action, s.revision, cmp.Or(s.result, "-")))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

// outcome says how the run ends.
func (l *log) outcome(last *entry) string {
	stalled, _ := last.says("Stalled")
	ready, _ := last.says("Ready")
	rests, idle := last.resting()
	_, reason := last.says("Ready")
	switch {
	case !rests, reason == "StateError", reason == "ValuesError", last.object.GetDeletionTimestamp() != nil:
		return "error"
	case stalled == "True":
		return "stalled"
	case !idle:
		return "retrying"
	case ready == "True":
		return "ready"
	}
	return "idle"
}

func (e *entry) history() string {
	all, _, _ := unstructured.NestedSlice(e.object.Object, "status", "history")
	var words []string
	for _, s := range all {
		s := s.(map[string]any)
		words = append(words, fmt.Sprintf("%v:%v@%s", s["version"], s["status"], plain(s["chartVersion"])))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

// plain removes what helm-controller adds to the version of a chart from a registry.
func plain(version any) string {
	out, _, _ := strings.Cut(fmt.Sprint(version), "+")
	return out
}

// storage lists Helm's records.
func storage(all []entry) string {
	status := map[int]string{}
	for _, e := range all {
		if e.object != nil || e.cut || e.byHand {
			continue
		}
		if status[e.revision] = e.status; e.deleted {
			delete(status, e.revision)
		}
	}
	var revisions []int
	for revision := range status {
		revisions = append(revisions, revision)
	}
	slices.Sort(revisions)
	var words []string
	for _, revision := range revisions {
		words = append(words, fmt.Sprintf("%d:%s", revision, status[revision]))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

func (e *entry) conditions() string {
	var words []string
	for _, kind := range []string{"Ready", "Reconciling", "Stalled", "Released", "Remediated", "TestSuccess"} {
		if status, reason := e.says(kind); status != "" {
			words = append(words, kind+"="+status+"/"+reason)
		}
	}
	slices.Sort(words)
	return cmp.Or(strings.Join(words, " "), "-")
}

// counters writes the failures of installs, of upgrades, and all.
func (e *entry) counters() string {
	var words []string
	for _, field := range []string{"installFailures", "upgradeFailures", "failures"} {
		n, _, _ := unstructured.NestedInt64(e.object.Object, "status", field)
		words = append(words, fmt.Sprint(n))
	}
	return strings.Join(words, " ")
}
