package revive

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/pkg/release"
)

// order puts releases behind those that they depend on, since a request is lost as long as these are not Ready, and those
// that hold up most first. It notes what each holds up, if Kustomizations could be listed.
func (r *runner) order(ctx context.Context, steps []Step) {
	applied, unlisted := r.Kustomizations(ctx)
	in := standstill.Of(applied, r.Beside(ctx, steps[0].Release.Namespace))
	for i := range steps {
		s := &steps[i]
		if s.Do != "" {
			s.First = in.First(s.Release)
		}
		if held := in.Below(s.Release); unlisted == nil && held.Len() > 0 {
			s.HoldsUp = &held
			for _, late := range held.After {
				s.Afterwards = append(s.Afterwards, r.by.Address.At(late.Command()))
			}
		}
	}
	rank(steps)
	slices.SortStableFunc(steps, func(a, b Step) int {
		if a.rank != b.rank {
			return a.rank - b.rank
		}
		return b.HoldsUp.Len() - a.HoldsUp.Len()
	})
}

// rank counts for each step how many come one after the other before it. In a circle none can be first.
func rank(steps []Step) {
	at := map[release.Name]*Step{}
	for i := range steps {
		at[steps[i].Release] = &steps[i]
	}
	for range steps {
		moved := false
		for i := range steps {
			s := &steps[i]
			for _, name := range s.First {
				if on := at[name]; on != nil && s.rank <= on.rank && on.rank < len(steps) {
					s.rank, moved = on.rank+1, true
				}
			}
		}
		if !moved {
			return
		}
	}
}

// batches returns the steps that may be done at the same time, those first that come first.
func batches(steps []Step) [][]Step {
	var out [][]Step
	for from := 0; from < len(steps); {
		to := from
		for to < len(steps) && steps[to].rank == steps[from].rank {
			to++
		}
		out, from = append(out, steps[from:to]), to
	}
	return out
}
