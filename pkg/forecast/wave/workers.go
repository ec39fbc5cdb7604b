package wave

import "github.com/flux-remedy/remedy/pkg/release"

// Held returns the Kustomization that holds a worker longest while a release of it is tried again without end, and how
// many such there are; nil if there are workers enough, or if it is not known how many there are.
func (f Fleet) Held() (holder string, _ *release.Workers) {
	if f.Controller.Concurrent < 0 {
		return "", nil
	}
	holding := map[string]*Kustomization{}
	for _, r := range f.Releases {
		if r.Settings.Upgrade.Strategy != release.RetryOnFailure || holding[r.Parent] != nil {
			continue
		}
		if k := f.named(r.Parent); k != nil && !k.Suspend && k.checks(r.Name) {
			holding[k.Name] = k
		}
	}
	out := &release.Workers{Of: f.Controller.workers(), Known: f.Controller.Concurrent > 0, Holding: len(holding)}
	if out.Holding <= out.Of {
		return "", nil
	}
	share := 0.0
	for name, k := range holding {
		own := float64(k.Timeout.Duration) / float64(k.Timeout.Duration+k.Retry.Duration)
		if own > share || own == share && name < holder {
			holder, share = name, own
		}
	}
	return holder, out
}
