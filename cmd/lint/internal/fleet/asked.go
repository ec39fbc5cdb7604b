package fleet

import (
	"context"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
)

// Asked is what is asked for of a fleet. The zero value is all.
type Asked struct {
	// Cluster reports whether anything is asked for of a cluster by its name, or of one that it applies to; nil
	// if it is of all.
	Cluster func(name string) bool
	// Path is the file or folder of the tree that is asked for: releases that something in there applies, or
	// writes a field of.
	Path string
}

// nothing is what is asked for where only the walk matters.
func nothing() Asked { return Asked{Cluster: func(string) bool { return false }} }

// resolve walks a cluster, or skims it if it has nothing to do with what is asked for. Which files it reads shows
// only then.
func (r *resolver) resolve(ctx context.Context, c *entries.Cluster) (*pass, error) {
	wanted := r.asked.Cluster == nil || r.asked.Cluster(c.Name)
	if r.isChange || wanted && (r.asked.Path == "" || c.LeftOver) {
		return r.passes(ctx, c, false)
	}
	before := r.coverage.Clone()
	for {
		p, err := r.passes(ctx, c, true)
		if err != nil || !p.blind && !p.overlooks() && !(wanted && (p.touches(r.asked.Path) || p.assumes(r.asked.Path))) {
			return p, err
		}
		*r.coverage = *before.Clone()
		if !p.blind {
			return r.passes(ctx, c, false)
		}
	}
}
