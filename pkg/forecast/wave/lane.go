package wave

import (
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Lane is a Kustomization while it is not ready.
type Lane struct {
	Kustomization string `json:"kustomization"`
	// Waits reports whether it waits for another one, before it applies anything.
	Waits     bool      `json:"waits"`
	For       []string  `json:"waitsFor"`
	Stretches []Stretch `json:"stretches"`
	// Open reports whether it is not ready again when there is no more to see: it goes on as it did.
	Open bool `json:"open,omitempty"`
}

// Stretch is time in which a Kustomization does the same.
type Stretch struct {
	From  release.Duration `json:"from"`
	To    release.Duration `json:"to"`
	Doing Doing            `json:"doing"`
}

// Doing is what a Kustomization does.
type Doing string

// It checks the health of what it has applied, and holds a worker; it has failed, and is tried again at
// the end; or it is blocked by a dependency.
const (
	Checking Doing = "checking"
	Failing  Doing = "failed"
	Blocked  Doing = "blocked"
)

// rank orders lanes: the Kustomization of the release, those above it, those that wait for them.
func rank(l Lane, own string) int {
	switch {
	case l.Kustomization == own:
		return 0
	case !l.Waits:
		return 1
	}
	return 2
}

// lanes returns what each Kustomization does while it is not ready.
func (s *simulation) lanes() []Lane {
	steps := map[string][]Step{}
	for _, step := range s.steps {
		steps[step.Kustomization] = append(steps[step.Kustomization], step)
	}
	out := make([]Lane, len(s.all))
	for i, k := range s.all {
		out[i] = s.lane(k, steps[k.Name])
	}
	return out
}

func (s *simulation) lane(k *kustomization, steps []Step) Lane {
	out := Lane{Kustomization: k.Name, For: []string{}, Open: !k.ready}
	var since time.Duration
	doing := Doing("")
	add := func(to time.Duration) {
		if doing != "" && to > since {
			out.Stretches = append(out.Stretches, Stretch{release.Duration{Duration: since}, release.Duration{Duration: to}, doing})
		}
		since = to
	}
	for _, step := range steps {
		add(step.Began.Duration)
		if step.End != Dependency {
			doing = Checking
			add(step.At.Duration)
		}
		doing = map[End]Doing{Unhealthy: Failing, Canceled: Failing, Dependency: Blocked}[step.End]
		out.Waits = out.Waits || step.End == Dependency
		for _, what := range step.For {
			if !slices.Contains(out.For, what) {
				out.For = append(out.For, what)
			}
		}
	}
	if k.check != nil {
		add(k.began)
		doing = Checking
	}
	add(s.now)
	out.Stretches = slices.DeleteFunc(out.Stretches, func(s Stretch) bool { // it was ready as soon as it was applied
		return s.Doing == Checking && s.To.Duration-s.From.Duration <= 2*applying
	})
	return out
}

// within reports whether it is ready whenever it usually is.
func (l Lane) within(usual Lane) bool {
	times := usual.times()
	return !slices.ContainsFunc(l.times(), func(s Stretch) bool {
		return !slices.ContainsFunc(times, func(u Stretch) bool {
			return u.From.Duration <= s.From.Duration+polling && s.To.Duration <= u.To.Duration+polling
		})
	})
}

// times returns when it is not ready, whatever it does then.
func (l Lane) times() []Stretch {
	var out []Stretch
	for _, s := range l.Stretches {
		if n := len(out); n > 0 && s.From.Duration <= out[n-1].To.Duration {
			out[n-1].To = s.To
		} else {
			out = append(out, s)
		}
	}
	return out
}

// ends returns when it is ready again, zero if it always was.
func (l Lane) ends() time.Duration {
	if n := len(l.Stretches); n > 0 {
		return l.Stretches[n-1].To.Duration
	}
	return 0
}
