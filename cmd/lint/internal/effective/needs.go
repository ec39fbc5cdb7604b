package effective

import (
	"cmp"
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// needs says of releases which of their dependencies are never ready.
func (l *loader) needs(all []*Release) {
	for _, r := range all {
		e := r.estate()
		if e == nil || r.Settings == nil {
			continue
		}
		_, depends, err := wave.DecodeRelease(r.Object)
		if err != nil {
			continue // the API refuses it
		}
		for i, on := range depends {
			if need := e.Need(r.Release, on); need.Is != "" {
				need.At = i
				switch {
				case need.Is == release.Missing:
					need.Hint = cmp.Or(e.Near(on.Name, r.Cluster), l.otherCluster(on.Name, r.Cluster))
				case need.Is == release.Elsewhere && l.unbuilt(on.Name) != "":
					need.Is, need.Hint = release.Unbuilt, l.unbuilt(on.Name)
				}
				need.Name, need.Hint, need.Way = l.secrets.Mask(need.Name), l.secrets.Mask(need.Hint), append([]string{}, l.secrets.MaskAll(need.Way)...)
				r.Needs = append(r.Needs, need)
			}
		}
	}
}

// unbuilt says which build fails that may be of a release; empty if none does.
func (l *loader) unbuilt(name string) string {
	for _, u := range l.fleet.Undetermined {
		if u.Release == name {
			return u.Reason
		}
	}
	return ""
}

// otherCluster names another cluster that has a release; empty if none does.
func (l *loader) otherCluster(name, cluster string) string {
	for _, c := range l.fleet.Clusters {
		for _, applied := range c.Releases {
			if in := c.Target(applied.By); in != cluster && variables.Unmark(object.FullName(applied.Object)) == name {
				return fmt.Sprintf("; cluster %q has it, and a HelmRelease can depend on those of its own cluster alone", in)
			}
		}
	}
	return ""
}
