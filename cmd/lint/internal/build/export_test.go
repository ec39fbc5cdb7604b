package build

// Doubts counts the builds that are known by why kustomize has done them; those of "" are composed.
func (b *Builder) Doubts() map[string]int {
	out := map[string]int{}
	for past := range b.results.past.Values() {
		for _, p := range past.list {
			out[p.result.Doubt]++
		}
	}
	return out
}
