package forecast

import "slices"

// snapshot is what .status.history remembers of a record.
type snapshot struct {
	record
	action Action // empty where the controller does not note one
	tests  phase
}

// uninstallRemediation is how .status.history names the action.
const uninstallRemediation Action = "uninstall-remediation"

// phase is how the tests of a release went.
type phase int

const (
	untested phase = iota
	passed
	testsFailed
)

// history is .status.history: newest first after each look at it.
type history []snapshot

// historyLimit is the number of snapshots kept where none of them is good.
const historyLimit = 5

func (h history) sort() {
	slices.SortStableFunc(h, func(a, b snapshot) int { return b.revision - a.revision })
}

// latest gives the newest snapshot; there must be one.
func (h history) latest() *snapshot {
	h.sort()
	return &h[0]
}

// find gives the snapshot of the revision, nil if there is none.
func (h history) find(revision int) *snapshot {
	for i := range h {
		if h[i].revision == revision {
			return &h[i]
		}
	}
	return nil
}

// previous gives the index of the newest good snapshot below the latest, -1 if
// there is none. One with failed tests is good only if those are ignored.
func (h history) previous(ignoreTests bool) int {
	h.sort()
	for i := 1; i < len(h); i++ {
		if h[i].status.good() && (ignoreTests || h[i].tests != testsFailed) {
			return i
		}
	}
	return -1
}

// truncate gives the snapshots down to the previous good one.
func (h history) truncate(ignoreTests bool) history {
	if i := h.previous(ignoreTests); i > 0 {
		return h[:i+1]
	}
	return h.newest()
}

// newest gives the newest snapshots up to the limit.
func (h history) newest() history {
	h.sort()
	return h[:min(len(h), historyLimit)]
}

// prepend puts a snapshot in front.
func (h history) prepend(s snapshot) history { return slices.Insert(h, 0, s) }

// refresh replaces what the snapshot knows of its record.
func (s *snapshot) refresh(r record, action Action) { s.record, s.action = r, action }

// recordRelease takes over what an install or upgrade wrote, of each record its
// last state: the newest becomes a snapshot; of the others only the newest that
// is in the history is refreshed, which may be one that was pruned instead of
// the one that was superseded.
func (h history) recordRelease(observed []record, action Action) history {
	if len(observed) == 0 {
		return h
	}
	slices.SortFunc(observed, func(a, b record) int { return b.revision - a.revision })
	h = h.prepend(snapshot{record: observed[0], action: action})
	for _, r := range observed[1:] {
		if s := h.find(r.revision); s != nil {
			s.refresh(r, "")
			break
		}
	}
	return h
}

// recordRollback takes over one record that a rollback wrote.
func (h history) recordRollback(r record) history {
	if s := h.find(r.revision); s != nil {
		s.refresh(r, Rollback)
		return h
	}
	return h.prepend(snapshot{record: r})
}
