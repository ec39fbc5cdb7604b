package forecast

import "slices"

// recordStatus is the status of a Helm release record.
type recordStatus string

const (
	deployed        recordStatus = "deployed"
	failed          recordStatus = "failed"
	superseded      recordStatus = "superseded"
	pendingInstall  recordStatus = "pending-install"
	pendingUpgrade  recordStatus = "pending-upgrade"
	pendingRollback recordStatus = "pending-rollback"
	uninstalling    recordStatus = "uninstalling"
	uninstalled     recordStatus = "uninstalled"
)

func (s recordStatus) pending() bool {
	return s == pendingInstall || s == pendingUpgrade || s == pendingRollback
}

// good reports whether a release with this status has come up once.
func (s recordStatus) good() bool { return s == deployed || s == superseded }

// record is one release record, kept by Helm as a Secret.
type record struct {
	revision int
	status   recordStatus
	version  Version
	// content stands for the digest of the whole record: each change of the
	// record makes a new one, and no two records share one.
	content int
	// lean reports whether its values lack one that the old version had.
	lean bool
}

// storage holds the records of a release, oldest first.
type storage struct {
	records  []record
	contents int // the last content that was used
	// written lists each record that the running action has written or
	// deleted, in order, as the controller's storage driver sees it.
	written []record
}

// clone returns a copy that shares nothing with s.
func (s *storage) clone() storage {
	return storage{records: slices.Clone(s.records), contents: s.contents}
}

// begin prepares for another action.
func (s *storage) begin() { s.written = s.written[:0] }

func (s *storage) observe(r record) { s.written = append(s.written, r) }

// last returns the newest record, nil if there is none.
func (s *storage) last() *record {
	if len(s.records) == 0 {
		return nil
	}
	return &s.records[len(s.records)-1]
}

// lastRevision returns the revision of the newest record, zero if there is none.
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

// deployed returns the newest record that is deployed, nil if there is none.
func (s *storage) deployed() *record {
	for i := len(s.records) - 1; i >= 0; i-- {
		if s.records[i].status == deployed {
			return &s.records[i]
		}
	}
	return nil
}

// create adds a record. With a limit above zero it first deletes the oldest
// records to stay within it, but never the newest deployed one.
func (s *storage) create(r record, limit int) {
	if limit > 0 {
		s.prune(limit - 1)
	}
	s.contents++
	r.content = s.contents
	s.records = append(s.records, r)
	s.observe(*s.last())
}

// keep puts in front the record that is deployed, which stays whatever the limit is: another
// one goes instead.
func (s *storage) keep(r record, limit int) {
	s.contents++
	r.content = s.contents
	s.records = slices.Insert(s.records, 0, r)
	if unlimited := limit <= 0; !unlimited && len(s.records) > limit {
		s.records = slices.Delete(s.records, 1, 2)
	}
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

// set changes the status of the record of the revision, if it still exists.
func (s *storage) set(revision int, st recordStatus) {
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

// supersede marks all deployed records as superseded, the newest first.
func (s *storage) supersede() {
	for d := s.deployed(); d != nil; d = s.deployed() {
		s.set(d.revision, superseded)
	}
}

// purge deletes all records.
func (s *storage) purge() {
	for _, r := range s.records {
		s.observe(r)
	}
	s.records = s.records[:0]
}
