package build

// Doubts counts the builds that are known by why kustomize has done them; those of "" are composed.
func (b *Builder) Doubts() map[string]int {
	out := map[string]int{}
	for _, past := range b.results {
		for _, p := range past {
			out[p.result.Doubt]++
		}
	}
	return out
}
