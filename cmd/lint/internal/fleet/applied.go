package fleet

// Kustomizations returns those that live in a cluster by its name, in order of their names: what its
// kustomize-controller works on.
func (r *Resolved) Kustomizations(cluster string) []*Kustomization {
	var out []*Kustomization
	for _, id := range sortedKeys(r.pass.applied) {
		if k := r.pass.applied[id]; !k.Folder && r.host(k) == cluster {
			out = append(out, k)
		}
	}
	return out
}

// Host names the cluster that a Kustomization lives in.
func (r *Resolved) Host(k *Kustomization) string { return r.host(k) }
