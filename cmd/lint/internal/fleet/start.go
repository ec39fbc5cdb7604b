package fleet

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Start is what the Flux of a cluster begins with: the entry that it was installed with,
// and the source of that.
type Start struct {
	Cluster string
	// Folder is the one that the entry applies, and File and Line are the place of the
	// entry, by the names of their tree.
	Folder, File string
	Line         int

	entry, source string // their settings, as JSON
	applied       bool   // a build applies the entry as it is written
	idle          bool   // the entry is suspended
	elsewhere     bool   // the tree does not have the entry
}

// Start returns what the Flux of the cluster begins with, and reports whether the tree
// has its entry.
func (r *Resolved) Start() (Start, bool) {
	if r.Found == entries.UnknownApplier || r.Found == entries.Unapplied {
		return Start{}, false
	}
	entry, p := r.Entries[0], r.pass
	own := p.nearest(r.Name, r.Own)
	settings := []any{r.Synced()}
	for _, field := range []string{"url", "ref", "bucketName", "endpoint", "include", "recurseSubmodules"} {
		settings = append(settings, object.At(own, "spec", field))
	}
	return Start{
		Cluster: r.Name, Folder: p.index.Files.Name(r.Folder()), File: entry.File, Line: entry.Line,
		entry: asJSON(object.At(entry.Object, "spec")), source: asJSON(settings),
		applied: applies(p, r.Cluster), idle: presence.Idle(entry.Object) != "",
	}, true
}

// Elsewhere returns the folder of a cluster that something outside of the tree applies, and reports whether it is one by
// its place.
func (r *Resolved) Elsewhere() (Start, bool) {
	if r.Found != entries.UnknownApplier && r.Found != entries.Unapplied || !r.Entered() || !r.Named(r.Dir) {
		return Start{}, false
	}
	entry := r.Entries[0]
	return Start{Cluster: r.Name, Folder: r.pass.index.Files.Name(r.Dir), File: entry.File, Line: entry.Line, elsewhere: true}, true
}

// applies reports whether what writes the entry of a cluster is applied, too, so that
// Flux takes over what changes there, also that the entry is suspended from now on.
func applies(p *pass, c *entries.Cluster) bool {
	if c.Found != entries.Bootstrapped {
		return p.coverage.Built[c.File]
	}
	entry := c.Entries[0].Object
	return slices.ContainsFunc(p.objects[c.Name]["Kustomization/"+object.FullName(entry)], func(self applied) bool {
		arrives := self.skipped == "" ||
			self.skipped == presence.Idle(entry) && presence.Marked(self.object, "Kustomization").Kind == presence.AsWritten
		return arrives && object.At(self.object, "spec", "sourceRef") != nil && entries.SameSpec(self.object, entry)
	})
}

// LosesSource says that a change has Flux delete the source of the cluster, which the cluster had applied itself; "" if it does
// not. That of a FluxInstance its operator makes.
func (r *Resolved) LosesSource(before *Resolved) string {
	key := r.Own.String()
	was, had := before.pass.objects.first(before.Name, key)
	_, stays := r.pass.objects.of(r.Name, key)
	if !had || was.by == nil || stays || r.Synced() != nil || r.LeftOver || !r.Removes(before, was.by, was.object) {
		return ""
	}
	return fmt.Sprintf("nothing in the tree applies its source %s since the change: Flux deletes that, and takes no commit any more", r.Own)
}

// Departs returns why the Flux of a cluster may apply something else than a changed tree
// says, given what the clusters of that tree begin with; "" if there is no such reason.
// A folder that holds no file any more is that of a cluster that was removed.
func (s Start) Departs(now []Start, holds func(folder string) bool) string {
	reason := ""
	for _, n := range now {
		switch {
		case n.Folder != s.Folder:
		case n.source != s.source:
			reason = "its source is another repository or revision since the change: what Flux takes from there is not known here"
		case n.entry != s.entry && s.idle:
			reason = "its entry has other settings since the change, but it was suspended: Flux keeps those that it has until somebody resumes it on the cluster"
		case n.entry != s.entry && !n.applied:
			reason = "its entry has other settings since the change, but nothing here applies the entry: Flux keeps those that it has"
		default:
			return ""
		}
	}
	if reason == "" && holds(s.Folder) {
		reason = fmt.Sprintf("its entry is missing since the change, or applies another folder, but %s is still there: Flux may go on applying it", s.Folder)
	}
	return reason
}

// Moved says what it means that the entry of a cluster is another one now, at another place, and that the folder of
// this one is gone.
func (s Start) Moved(to Start) string {
	if s.elsewhere {
		return fmt.Sprintf("%[1]s is gone since the change, and %[2]s has its releases: what applies %[1]s is not in the tree, and applies nothing from then on", s.Folder, to.Folder)
	}
	return fmt.Sprintf("its entry applies %s since the change, and %s is gone: a Flux that was installed with that one applies nothing until it is bootstrapped again", to.Folder, s.Folder)
}

func asJSON(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}
