package release

// Undetermined is something that cannot be known from the tree, and so is
// neither judged nor passed.
type Undetermined struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Cause is the file that makes the build of a Kustomization fail, and CauseLine the line in it; empty if there is
	// none, or if it is not known.
	Cause     string `json:"-"`
	CauseLine int    `json:"-"`
	// Release is namespace/name; empty if not one release is concerned, as for a
	// Kustomization that cannot be built.
	Release string `json:"release"`
	// Shown is true if the tree shows all that this is about, as of a Kustomization that waits for
	// another one: no release is hidden behind it.
	Shown bool `json:"-"`
	// NoPath is true of a Kustomization whose source is at hand and has no folder of its path.
	NoPath bool `json:"-"`
	// Cluster is empty if unknown.
	Cluster string `json:"cluster,omitempty"`
	// Tier is that of the release or, if none is named, the one that a release
	// there would have.
	Tier Tier `json:"tier,omitempty"`
	// Source is the Flux source whose content is not known, as
	// KIND/NAMESPACE/NAME; empty if the cause is something else.
	Source string `json:"source,omitempty"`
	Reason string `json:"reason"`
	// Advice says what to do, or where to look. It is no part of what it is told from others by: Reason is.
	Advice string `json:"advice,omitempty"`
	// Rules are the rules that could not be checked because of it, separated by
	// ", "; empty if nothing of it is judged.
	Rules string `json:"rules,omitempty"`
	// Severity is the worst that these rules report in the tier. It is empty if
	// nothing of it is judged, or if the class is not known.
	Severity string `json:"severity,omitempty"`
	// Content identifies what an object is made of that no cluster applies; empty if that is not known.
	Content string `json:"-"`
	// Elsewhere is true of a release that a cluster has from the same document with the same settings, by another entry.
	Elsewhere bool `json:"-"`
	// Accepted says why, and until when, the configuration accepts that it is
	// not judged; empty if it does not.
	Accepted string `json:"accepted,omitempty"`
}

// Text returns the reason, and what to do.
func (u Undetermined) Text() string {
	if u.Advice == "" {
		return u.Reason
	}
	return u.Reason + "; " + u.Advice
}

// Identity returns what stays when a place moves in its file and, if the cluster
// is known, to another file.
func (u Undetermined) Identity() Undetermined {
	out := Undetermined{Release: u.Release, Cluster: u.Cluster, Reason: u.Reason}
	if u.Cluster == "" {
		out.File = u.File
	}
	return out
}
