package forecast

import "slices"

// status is that of a Helm release record.
type status string

const (
	deployed        status = "deployed"
	failed          status = "failed"
	superseded      status = "superseded"
	pendingInstall  status = "pending-install"
	pendingUpgrade  status = "pending-upgrade"
	pendingRollback status = "pending-rollback"
	uninstalling    status = "uninstalling"
	uninstalled     status = "uninstalled"
)

func (s status) pending() bool {
	return s == pendingInstall || s == pendingUpgrade || s == pendingRollback
}

// good tells whether a release of this status came up once.
func (s status) good() bool { return s == deployed || s == superseded }

// record is one release record, kept by Helm as a Secret.
type record struct {
	revision int
	status   status
	version  Version
	// content stands for the digest of the whole record: it changes with every
	// change of the record and is never the same for two records.
	content int
}

// storage holds the records of a release, oldest first, and tells observe of
// every record that it writes or deletes, as the controller's storage driver
// does.
type storage struct {
	records  []record
	contents int
	observe  func(record)
}

// last gives the newest record, nil if there is none.
func (s *storage) last() *record {
	if len(s.records) == 0 {
		return nil
	}
	return &s.records[len(s.records)-1]
}

// lastRevision gives the revision of the newest record, zero if there is none.
func (s *storage) lastRevision() int {
	if last := s.last(); last != nil {
		return last.revision
	}
	return 0
}

func (s *storage) get(revision int) *record {
	for i := range s.records {
		if s.records[i].revision == revision {
			return &s.records[i]
		}
	}
	return nil
}

// deployed gives the newest record that is deployed, nil if there is none.
func (s *storage) deployed() *record {
	for i := len(s.records) - 1; i >= 0; i-- {
		if s.records[i].status == deployed {
			return &s.records[i]
		}
	}
	return nil
}

// create adds a record. With a limit above zero it first deletes the oldest
// ones to stay within it, but never the newest deployed one.
func (s *storage) create(revision int, st status, version Version, limit int) {
	if limit > 0 {
		s.prune(limit - 1)
	}
	s.contents++
	s.records = append(s.records, record{revision, st, version, s.contents})
	s.observe(*s.last())
}

func (s *storage) prune(limit int) {
	excess := len(s.records) - limit
	keep := 0
	if d := s.deployed(); d != nil {
		keep = d.revision
	}
	s.records = slices.DeleteFunc(s.records, func(r record) bool {
		if excess <= 0 || r.revision == keep {
			return false
		}
		excess--
		s.observe(r)
		return true
	})
}

// set gives the record of the revision another status, if it still exists.
func (s *storage) set(revision int, st status) {
	if r := s.get(revision); r != nil {
		s.contents++
		r.status, r.content = st, s.contents
		s.observe(*r)
	}
}

// rewrite writes the record of the revision as it is, if it still exists.
func (s *storage) rewrite(revision int) {
	if r := s.get(revision); r != nil {
		s.observe(*r)
	}
}

// delete removes the record of the revision behind the controller's back.
func (s *storage) delete(revision int) {
	s.records = slices.DeleteFunc(s.records, func(r record) bool { return r.revision == revision })
}

// purge deletes all records.
func (s *storage) purge() {
	for _, r := range s.records {
		s.observe(r)
	}
	s.records = s.records[:0]
}
