package forecast

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// The words of the recordings, as testdata/forecast/README.md defines them.

// chart returns the chart version that stands for a version in the recordings.
func (r *recording) chart(v Version) string {
	if v == New && !r.fresh {
		return "2.0.0"
	}
	return "1.0.0"
}

var letters = map[Action]string{Install: "I", Upgrade: "U", Rollback: "R", Uninstall: "X", Test: "T", Correct: "C"}

var signs = map[Result]string{OK: "+", Fail: "-", Killed: "!"}

// actions writes the steps. The recordings leave out the unlocks.
func (r *recording) actions(steps []Step) string {
	var words []string
	for _, s := range steps {
		if s.Action != Unlock && s.Revision > 0 {
			words = append(words, fmt.Sprintf("%s%d@%s%s", letters[s.Action], s.Revision, r.chart(s.Version), signs[s.Result]))
		}
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

func (r *recording) word(steps []Step) string {
	var words []string
	if !r.fresh {
		words = append(words, "I+")
	}
	for _, s := range steps {
		words = append(words, letters[s.Action]+signs[s.Result])
	}
	return strings.Join(words, " ")
}

func (r *recording) recordText(rec record, prefix string) string {
	return prefix + string(rec.status) + "@" + r.chart(rec.version)
}

func (r *recording) storageText(records []record) string {
	var words []string
	for _, rec := range records {
		words = append(words, r.recordText(rec, fmt.Sprint(rec.revision, ":")))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

func (r *recording) historyText(h history) string {
	var words []string
	for _, s := range h {
		words = append(words, r.recordText(s.record, fmt.Sprint(s.revision, ":"))+":"+string(s.action))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

func storageStatus(records []record) string {
	var words []string
	for _, rec := range records {
		words = append(words, fmt.Sprint(rec.revision, ":", rec.status))
	}
	return cmp.Or(strings.Join(words, " "), "-")
}

func conditionsText(all conditions) string {
	names := [conditionTypes]string{"Ready", "Reconciling", "Stalled", "Released", "Remediated", "TestSuccess"}
	var words []string
	for t, c := range all {
		if c.status != "" {
			words = append(words, fmt.Sprintf("%s=%s/%s", names[t], c.status, c.reason))
		}
	}
	slices.Sort(words)
	return cmp.Or(strings.Join(words, " "), "-")
}

func endText(s *simulation, v reconcileResult) string {
	end := endOf(&s.state, v)
	if end == Stalled || end == Retrying {
		return string(end) + "/" + reasonOf(&s.state, end, v)
	}
	return string(end)
}

func requeueText(v reconcileResult, wait time.Duration) string {
	switch v {
	case died:
		return "killed"
	case mustRequeue:
		return "requeue"
	case inError:
		return "error"
	case settled, atInterval, retryAfter:
		if wait > 0 {
			return "after"
		}
		return "done"
	}
	return "terminal"
}
