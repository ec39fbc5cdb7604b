package release

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

// ID returns the name of the release with its namespace.
func (r *Release) ID() Name { return Name{r.Namespace, r.Name} }
