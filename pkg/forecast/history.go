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

// history is .status.history. The controller sorts it, newest first, whenever it
// determines the state of the release.
type history []snapshot

// historyLimit is the number of snapshots kept where none of them is good.
const historyLimit = 5

func (h history) sort() {
	slices.SortStableFunc(h, func(a, b snapshot) int { return b.revision - a.revision })
}

// latest returns the newest snapshot; there must be one.
func (h history) latest() *snapshot { return &h[0] }

// find returns the snapshot of the revision, nil if there is none.
func (h history) find(revision int) *snapshot {
	for i := range h {
		if h[i].revision == revision {
			return &h[i]
		}
	}
	return nil
}

// newestUnknown returns the newest revision below one of which there is no snapshot, zero if
// there is one of each.
func (h history) newestUnknown(below int) int {
	revision := below - 1
	for revision > 0 && h.find(revision) != nil {
		revision--
	}
	return max(revision, 0)
}

// previous returns the index of the newest good snapshot below the latest, -1 if
// there is none. One with failed tests is good only if those are ignored.
func (h history) previous(ignoreTests bool) int {
	for i := 1; i < len(h); i++ {
		if h[i].status.good() && (ignoreTests || h[i].tests != testsFailed) {
			return i
		}
	}
	return -1
}

// truncate returns the snapshots down to the previous good one.
func (h history) truncate(ignoreTests bool) history {
	if i := h.previous(ignoreTests); i > 0 {
		return h[:i+1]
	}
	return h.newest()
}

// newest returns the newest snapshots up to the limit.
func (h history) newest() history { return h[:min(len(h), historyLimit)] }

// prepend returns the history with a snapshot in front.
func (h history) prepend(s snapshot) history { return slices.Insert(h, 0, s) }

// refresh replaces what the snapshot knows of its record.
func (s *snapshot) refresh(r record, action Action) { s.record, s.action = r, action }

// recordRelease takes over what an install or upgrade wrote: the newest record
// becomes a snapshot. Of the others only the newest that is in the history is
// refreshed, which may be one that was pruned instead of the one that was
// superseded.
func (h history) recordRelease(written []record, action Action) history {
	final := finalRecords(written)
	if len(final) == 0 {
		return h
	}
	h = h.prepend(snapshot{record: final[0], action: action})
	for _, r := range final[1:] {
		if s := h.find(r.revision); s != nil {
			s.refresh(r, "")
			break
		}
	}
	return h
}

// finalRecords sorts what was written, the newest record first, and keeps only
// the last write of each record. It works in place.
func finalRecords(written []record) []record {
	slices.Reverse(written)
	slices.SortStableFunc(written, func(a, b record) int { return b.revision - a.revision })
	return slices.CompactFunc(written, func(a, b record) bool { return a.revision == b.revision })
}

// recordRollback takes over each record that a rollback wrote.
func (h history) recordRollback(written []record) history {
	for _, r := range written {
		if s := h.find(r.revision); s != nil {
			s.refresh(r, Rollback)
		} else {
			h = h.prepend(snapshot{record: r})
		}
	}
	return h
}

// recordUninstall refreshes the snapshot of each record that an uninstall wrote.
func (h history) recordUninstall(written []record) {
	for _, r := range written {
		if s := h.find(r.revision); s != nil {
			s.refresh(r, uninstallRemediation)
		}
	}
}

// recordUnlock refreshes the snapshot of the unlocked record, if there is one.
func (h history) recordUnlock(written []record) {
	for _, r := range written {
		if s := h.find(r.revision); s != nil {
			s.refresh(r, s.action)
			s.tests = untested
		}
	}
}
