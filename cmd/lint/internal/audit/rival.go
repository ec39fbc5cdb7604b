package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/incident"
	"github.com/flux-remedy/remedy/pkg/release"
)

// rival keeps of a release what says which Helm release it has; one that is suspended fights
// with none.
func (c *collector) rival(j incident.Judged) {
	if j.Settings.Suspend {
		return
	}
	spec, _ := j.Object["spec"].(map[string]any)
	c.rivals = append(c.rivals, incident.Judged{
		Release: &release.Release{
			Namespace: j.Namespace, Name: j.Name, Settings: &release.Settings{Target: j.Settings.Target},
			Object: map[string]any{"spec": map[string]any{"kubeConfig": spec["kubeConfig"]}},
		},
		Incident: incident.Incident{Release: j.Incident.Release},
	})
}

// fight notes which releases of a cluster have the same Helm release.
func (c *collector) fight() {
	rivals := incident.Rivals(c.rivals)
	for i, r := range c.all {
		c.all[i].Rivals = slices.SortedFunc(slices.Values(rivals[r.Name]), func(a, b release.Name) int { return cmp.Compare(a.String(), b.String()) })
	}
	c.rivals = nil
}

// fights are the lines on releases that have the same Helm release, once for each.
func (r Report) fights() []string {
	var lines []string
	for _, one := range r.Releases {
		var names []string
		for _, rival := range one.Rivals {
			names = append(names, rival.String())
		}
		if len(names) > 0 && one.Name.String() < names[0] {
			lines = append(lines, one.label()+" has the same Helm release as "+strings.Join(names, ", ")+": each undoes what the others do, until one is left or gets another releaseName")
		}
	}
	slices.Sort(lines)
	return lines
}
