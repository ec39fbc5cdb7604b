package wave

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

// repeats is how many failures of a Kustomization show that it goes on so.
const repeats = 3

// settled reports whether there is no more to see: all is ready, or what fails has shown that it goes on.
func (s *simulation) settled() bool {
	if s.now <= s.last {
		return false
	}
	if s.stirring != nil && s.stirs(s.stirring) {
		return false
	}
	if i := slices.IndexFunc(s.all, s.stirs); i >= 0 {
		s.stirring = s.all[i]
		return false
	}
	blocked := func(k *kustomization) bool { return !k.ready && !k.suspended && !s.goesOn(k) }
	if slices.ContainsFunc(s.all, blocked) && !slices.ContainsFunc(s.all, s.goesOn) {
		return false
	}
	return !slices.ContainsFunc(s.releases, s.moving) &&
		!slices.ContainsFunc(s.all, func(k *kustomization) bool { return k.ready && slices.ContainsFunc(k.targets, s.unseen) })
}

// stirs reports whether a Kustomization is enough to say that there is more to see.
func (s *simulation) stirs(k *kustomization) bool {
	return !k.ready && !k.suspended && (k.end != Dependency || !s.worn) && !s.goesOn(k)
}

// goesOn reports whether a Kustomization that is not ready has shown that it stays so.
func (s *simulation) goesOn(k *kustomization) bool {
	return !k.ready && !k.suspended && (k.refused() || k.failures >= repeats && s.ill(k))
}

// refused reports whether a Kustomization has failed for good: the API refuses its interval.
func (k *kustomization) refused() bool { return k.end == Unhealthy && k.Retry.Duration <= 0 }

// ill reports whether a Kustomization waits for what is not healthy. If all is, its next look is not like those before.
func (s *simulation) ill(k *kustomization) bool {
	return slices.ContainsFunc(k.targets, func(name string) bool { return s.health(name) != forecast.Current })
}

// moving reports whether a release is in an action, or has yet to see that what it depends on is not ready.
func (s *simulation) moving(r *course) bool {
	if r.Course == nil {
		return !r.held && len(r.DependsOn) > 0 && r.Interval.Duration > 0 && s.waits(r)
	}
	return r.Health(s.now) == forecast.InProgress && !r.Over(s.now)
}

// unseen reports whether a target of a Kustomization that is ready waits for a release, which the Kustomization
// sees when it looks again.
func (s *simulation) unseen(target string) bool {
	name, is := strings.CutPrefix(target, "HelmRelease/")
	r := s.courses[name]
	return is && r.Course == nil && r.held
}
