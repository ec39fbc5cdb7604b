package audit

import (
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/incident"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Root is an object of a cluster that holds up others, and what it holds up.
type Root struct {
	Cluster string `json:"cluster,omitempty"`
	standstill.Cause
}

// stand notes which releases of a cluster fight, what holds them up, and the roots of that.
func (c *collector) stand(at place) {
	for i := range c.all {
		r := &c.all[i]
		one := incident.Incident{Release: r.Name, Healthy: r.Phase == Ready, Rivals: r.Rivals}
		one.Stands(at.around, at.unlisted)
		r.HeldUpBy = one.HeldUpBy
		r.Why = slices.Concat(one.Standing(), r.Why)
	}
	if at.around == nil {
		return
	}
	for _, cause := range at.around.Causes() {
		c.roots = append(c.roots, Root{at.name, cause})
	}
}

// follows reports whether a release only waits for others: it is listed with its cause.
func (r *Release) follows() bool {
	return r.Phase == Waiting && slices.ContainsFunc(r.HeldUpBy, func(c standstill.Chain) bool { return !c.Unsure() })
}

// String says in a line what a root holds up.
func (r Root) String() string {
	where := ""
	if r.Cluster != "" {
		where = r.Cluster + ": "
	}
	return fmt.Sprintf("%s%s, %s, holds up %s", where, r.Object, r.State, r.Held.String())
}

func (r Root) lines() string {
	return r.String() + "\n  " + words.First(r.Names(), most, "") + "\n"
}

// unfollowed says in a line where it is not known what holds up what; empty if it is everywhere.
func (r Report) unfollowed() string {
	var names []string
	for _, c := range r.Clusters {
		if c.Unfollowed && c.Releases > 0 {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "where Kustomizations could not be listed, it is not known what holds up what: " + words.First(names, most, "")
}

// standing counts in a line what is held up; empty if nothing is.
func (r Report) standing() string {
	if len(r.Roots) == 0 {
		return ""
	}
	at := map[string][]standstill.Cause{}
	for _, root := range r.Roots {
		at[root.Cluster] = append(at[root.Cluster], root.Cause)
	}
	objects := 0
	for _, causes := range at {
		objects += standstill.Distinct(causes)
	}
	hold := "hold"
	if len(r.Roots) == 1 {
		hold = "holds"
	}
	return fmt.Sprintf("%s %s up %s", words.Count(len(r.Roots), "cause"), hold, words.Count(objects, "object"))
}
