package repair

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// foresight says who would object to a repair, as far as the objects of releases show it: the tree is not built
// again with it.
type foresight struct {
	now   judge.State
	after Foresee // nil if nothing is foreseen
	endings
	said   map[string]string // by edits
	rivals map[*wish]string
	wanted func() map[string]*wish   // by edits
	places func() map[string][]*wish // by what is edited
	served func() map[string][]int   // the releases that an object of a file decides for
}

func newForesight(now judge.State, after Foresee) *foresight {
	f := &foresight{now: now, after: after, endings: endings{}, said: map[string]string{}, rivals: map[*wish]string{}}
	f.wanted, f.places = sync.OnceValue(f.byEdits), sync.OnceValue(f.byPlace)
	f.served = sync.OnceValue(func() map[string][]int {
		out := map[string][]int{}
		for i, r := range now.Releases {
			for _, d := range r.DecidedIn() {
				key := objectKey(d.File.Name, d.Address())
				out[key] = append(out[key], i)
			}
		}
		return out
	})
	return f
}

// wish is edits of files with the findings that they repair, in whichever way.
type wish struct {
	change
	first bool // whether it is the first way for one of them
}

// byEdits returns the changes that repair what is found.
func (f *foresight) byEdits() map[string]*wish {
	out := map[string]*wish{}
	mixed := isMixed(f.now.Releases)
	for _, r := range f.now.Releases {
		for _, t := range targetsOf(r) {
			if t.finding.Fix == nil {
				continue
			}
			_ = t.at() // it is remembered, and read while the document that is edited is in memory
			for i, way := range waysTo(t, mixed) {
				edits, err := editsOf(r, &way.Fix)
				if err != nil {
					continue
				}
				key := fmt.Sprint(edits)
				if out[key] == nil {
					out[key] = &wish{change: change{edits: edits}}
				}
				of := t
				of.finding.Fix = &way.Fix
				out[key].targets, out[key].first = append(out[key].targets, of), out[key].first || i == 0
			}
		}
	}
	return out
}

// objection says why a fix is not made that edits files for a release; empty if nobody objects.
func (f *foresight) objection(in judge.Release, fix *rules.Fix, edits []effective.Edit) string {
	if f.after == nil || !fix.OfRelease() {
		return ""
	}
	key := fmt.Sprint(edits)
	why, known := f.said[key]
	if !known {
		why = f.review(in, fix, f.wish(edits))
		f.said[key] = why
	}
	return why
}

// wish returns the change that makes edits.
func (f *foresight) wish(edits []effective.Edit) *wish {
	if w := f.wanted()[fmt.Sprint(edits)]; w != nil {
		return w
	}
	return &wish{change: change{edits: edits}} // of what a waiver accepts
}

// placeKey names what an edit is of.
func placeKey(e effective.Edit) string { return fmt.Sprint(e.File, e.At) }

// byPlace lists the changes by what they edit.
func (f *foresight) byPlace() map[string][]*wish {
	out := map[string][]*wish{}
	for _, key := range slices.Sorted(maps.Keys(f.wanted())) {
		for _, e := range f.wanted()[key].edits {
			out[placeKey(e)] = append(out[placeKey(e)], f.wanted()[key])
		}
	}
	return out
}

// rival says which other change wants another value of the same field as much as edits do; empty if none does.
// Which of them is made depends on the others.
func (f *foresight) rival(edits []effective.Edit) string {
	w := f.wish(edits)
	why, known := f.rivals[w]
	if !known {
		why = f.rivalOf(w)
		f.rivals[w] = why
	}
	return why
}

func (f *foresight) rivalOf(w *wish) string {
	for _, e := range w.edits {
		for _, other := range f.places()[placeKey(e)] {
			if other == w || !other.first || other.rank() != w.rank() || sameRelease(other.change, w.change) {
				continue
			}
			if place := clash(other.change, w.change); place != "" {
				return fmt.Sprintf("%s wants another value of %s", other.targets[0].title, place)
			}
		}
	}
	return ""
}

// review says who objects to a change.
func (f *foresight) review(in judge.Release, fix *rules.Fix, w *wish) string {
	before, after := judge.State{Tree: f.now.Tree}, judge.State{Tree: f.now.Tree}
	for _, i := range f.decidedBy(w.edits) {
		r := f.now.Releases[i]
		set := changed(r, in, fix, w.edits)
		if len(set) == 0 {
			continue
		}
		then, err := f.after(r, set)
		if err != nil {
			return err.Error()
		}
		before.Releases, after.Releases = append(before.Releases, r), append(after.Releases, then)
	}
	if against := newReview(before, after, []change{w.change}, f.now.Rule, f.endings).objections(); len(against) > 0 {
		return against[0].why
	}
	return ""
}

// decidedBy lists the releases that the edited objects decide for.
func (f *foresight) decidedBy(edits []effective.Edit) []int {
	var out []int
	for _, e := range edits {
		out = append(out, f.served()[objectKey(e.File, e.At)]...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// objectKey names the object of a file that holds a field: a document, or an item of one that is a List.
func objectKey(file string, at yamledit.Address) string {
	path, n := at[0].Path, 0
	for n+1 < len(path) && path[n] == "items" {
		n += 2
	}
	return fmt.Sprint(file, at[0].Document, path[:n])
}

// changed returns what edits of files that fix one release change in another one.
func changed(r, in judge.Release, fix *rules.Fix, edits []effective.Edit) []rules.Edit {
	made := change{edits: edits}
	reached := sync.OnceValue(func() bool {
		return r.File == in.File && r.Line == in.Line || slices.ContainsFunc(sitesOf(r, fix.Set), func(site effective.PatchSite) bool {
			return site.Extends && slices.ContainsFunc(site.Edits(fix.Set, effective.Target{}), made.makes)
		})
	})
	return slices.DeleteFunc(slices.Clone(fix.Set), func(e rules.Edit) bool {
		own, err := r.Edits(e)
		if err == nil && slices.ContainsFunc(own, made.makes) {
			return false
		}
		_, written := r.Value(e.Path)
		return err != nil || written || len(own) == 0 || !reached()
	})
}
