package build

// ByKustomize has kustomize do all builds.
func (b *Builder) ByKustomize() *Builder {
	b.composer = nil
	return b
}

// Doubts counts the builds that are known by why kustomize has done them; those of "" are composed.
func (b *Builder) Doubts() map[string]int {
	out := map[string]int{}
	for result := range b.results.All() {
		out[result.Doubt]++
	}
	return out
}
