package overview

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Root is an object of a cluster that holds up others, and what it holds up.
type Root struct {
	Cluster string `json:"cluster,omitempty"`
	standstill.Cause
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
