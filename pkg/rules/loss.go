package rules

import (
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
)

// InputLoss is what the policies see of what an uninstall deletes, by the chart itself.
type InputLoss struct {
	// Chart is its name and version, or where it is rendered; absent if it is not known.
	Chart string `json:"chart,omitempty"`
	// Certain reports whether what follows is all, whatever the cluster holds.
	Certain bool `json:"certain"`
	// Doubt says why it is not known, or not certain.
	Doubt string `json:"doubt,omitempty"`
	// Lost names what holds data and is deleted with it: "PersistentVolumeClaim data (8Gi)".
	Lost []string `json:"lost"`
	// Kept names what holds data and stays.
	Kept []string `json:"kept"`
	// Definitions are the CustomResourceDefinitions among Lost.
	Definitions []string `json:"definitions"`
	// Dropped names what holds data, is in the chart that the change replaces, and not in this one.
	Dropped []string `json:"dropped"`
}

// lossOf returns the section of a release; nil if nobody asks.
func lossOf(r *release.Release) *InputLoss {
	if r.Loss == nil && r.LossUnknown == "" {
		return nil
	}
	return lossIn(r)
}

// replacedBy returns the section of the release that an update replaces; nil if no comparison has it.
func replacedBy(r *release.Release) *InputLoss {
	if r.Replaced == nil {
		return nil
	}
	out := lossIn(r.Replaced)
	out.Certain = out.Certain && out.Chart != ""
	return out
}

func lossIn(r *release.Release) *InputLoss {
	out := &InputLoss{Doubt: r.LossUnknown, Certain: r.LossUnknown == "", Lost: []string{}, Kept: []string{}, Definitions: []string{}, Dropped: []string{}}
	if r.Loss == nil {
		return out
	}
	out.Chart = r.Loss.Chart
	for _, f := range r.Loss.Lost() {
		out.Lost = append(out.Lost, f.String())
		if f.Kind == loss.Definition {
			out.Definitions = append(out.Definitions, f.Name)
		}
	}
	for _, f := range r.Loss.Kept {
		out.Kept = append(out.Kept, f.String())
	}
	for _, f := range r.Loss.Dropped {
		out.Dropped = append(out.Dropped, f.String())
	}
	return out
}

// Deletes says what an uninstall of a release deletes and keeps, by its chart or, where that is not known, by its name; "" if
// neither says.
func (e *Engine) Deletes(r *release.Release) string {
	limits, err := e.limitsOf(r.Tier)
	if err == nil && r.Loss == nil && limits.stateful[release.ChartName(r.Object)] {
		return "deletes the volume claims and custom resources in its templates (by name: its chart is listed as one that holds data)"
	}
	return r.Deletes()
}

// stateful reports whether the chart of a release holds data: by what it renders if that is known,
// else by its name.
func (l *InputLoss) stateful(listed bool) bool {
	switch {
	case l == nil:
		return listed
	case l.Certain:
		return len(l.Lost) > 0
	}
	return listed || len(l.Lost) > 0
}
