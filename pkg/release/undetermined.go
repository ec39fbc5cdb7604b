package release

// Undetermined is something that cannot be known from the tree, and so is
// neither judged nor passed.
type Undetermined struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// Release is namespace/name; empty if not one release is concerned, as for a
	// Kustomization that cannot be built.
	Release string `json:"release"`
	// Cluster is empty if unknown.
	Cluster string `json:"cluster,omitempty"`
	Reason  string `json:"reason"`
}
