package judge

import (
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// waiveLocally marks the findings that only who sees the tree can know to be waived: by entries of
// the configuration that name a cluster, a file or a field, and by comments beside what decides.
func (e *Evaluator) waiveLocally(s *State) {
	for i := range s.Releases {
		e.waive(s, &s.Releases[i])
		if then := s.Releases[i].Resumed; then != nil {
			e.waive(s, then)
		}
	}
}

func (e *Evaluator) waive(s *State, r *Release) {
	r.addWaivers(e.config.Spec.Waivers.Local(r.Release.Release, r.Cluster))
	for j := range r.Verdict.Findings {
		f := &r.Verdict.Findings[j]
		if f.Waiver == nil {
			f.Waiver = e.entryFor(*r, *f)
		}
		e.comment(s, *r, f)
	}
}

// addWaivers adds waivers to those of a release; findings keep theirs.
func (r *Release) addWaivers(more []rules.Waiver) {
	if len(more) == 0 {
		return
	}
	old := r.Verdict.Waivers
	r.Verdict.Waivers = slices.Concat(old, more)
	for j := range r.Verdict.Findings {
		f := &r.Verdict.Findings[j]
		for i := range old {
			if f.Waiver == &old[i] {
				f.Waiver = &r.Verdict.Waivers[i]
				break
			}
		}
	}
}

// entryFor returns the first entry for the place that decides a finding; nil if there is none.
func (e *Evaluator) entryFor(r Release, f rules.Finding) *rules.Waiver {
	for i := range r.Verdict.Waivers {
		w := &r.Verdict.Waivers[i]
		if len(w.Path) > 0 || !e.engine.Waives(*w, f.Rule, e.now) {
			continue
		}
		entry := e.config.Spec.Waivers.Entries[w.Entry]
		if e.decides(entry, r.Cause(f)) && (r.Was == nil || e.covers(entry, r.Was, f)) {
			return w
		}
	}
	return nil
}

// covers reports whether an entry is for a finding in the release that was there as well.
func (e *Evaluator) covers(entry rules.WaiverEntry, was *effective.Release, f rules.Finding) bool {
	there := Release{Release: was}
	return entry.In(was.Cluster) && e.decides(entry, there.Cause(f))
}

func (e *Evaluator) decides(entry rules.WaiverEntry, cause report.Cause) bool {
	in := effective.Options{ConfigDir: e.config.Dir()}
	return entry.Decides(in.ConfigPath(cause.File, filepath.ToSlash(cause.File)), cause.Field)
}

// comment waives a finding by a comment beside what decides, and notes those that count and those
// that do not.
func (e *Evaluator) comment(s *State, r Release, f *rules.Finding) {
	for _, c := range r.comments(*f) {
		if !e.engine.Waives(c.Waiver, f.Rule, e.now) {
			continue
		}
		if err := e.config.Spec.Waivers.CheckOwn(c.Waiver, r.Tier, e.now); err != nil {
			s.refused[c] = err
			continue
		}
		s.used[c] = true
		if f.Waiver == nil {
			f.Waiver = &c.Waiver
		}
	}
}

// comments lists those beside what decides a finding.
func (r Release) comments(f rules.Finding) []*effective.Comment {
	if r.Commented == nil {
		return nil
	}
	return r.Commented(f, r.LocateFinding(f))
}
