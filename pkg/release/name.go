package release

import (
	"path"
	"strings"
)

// Name identifies a release in a cluster.
type Name struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// String returns namespace/name, or the name alone without a namespace.
func (n Name) String() string {
	if n.Namespace == "" {
		return n.Name
	}
	return n.Namespace + "/" + n.Name
}

// Matches reports whether a glob of names or, with a slash, of NAMESPACE/NAME is one of the release; the empty one is of all.
func (n Name) Matches(glob string) bool {
	of := n.Name
	if strings.Contains(glob, "/") {
		of = n.Namespace + "/" + n.Name
	}
	matched, _ := path.Match(glob, of)
	return glob == "" || matched
}

// ID returns the name of the release with its namespace.
func (r *Release) ID() Name { return Name{r.Namespace, r.Name} }
