package rules

import (
	"reflect"

	"github.com/flux-remedy/remedy/pkg/release"
)

// InputMoves is what the policies see of an update that may make another Helm release of one.
type InputMoves struct {
	// Object is the HelmRelease, if that has another name and Flux prunes the former one.
	Object *InputRename `json:"object,omitempty"`
	// Target is the Helm release, if that becomes another one.
	Target *InputMove[release.Target] `json:"target,omitempty"`
	// Pruning is the Kustomization that applied it and deletes it.
	Pruning *release.Pruning `json:"pruning,omitempty"`
	// Chart is spec.chart, if the field in it that names the chart changes.
	Chart *InputMove[any] `json:"chart,omitempty"`
}

// InputMove is what an update changes.
type InputMove[T any] struct {
	From T `json:"from"`
	To   T `json:"to"`
}

// InputRename is another name. Alike reports whether only the settings tell that it is one, and no file or name, and not
// surely.
type InputRename struct {
	From  release.Name `json:"from"`
	To    release.Name `json:"to"`
	Alike bool         `json:"alike"`
}

// movesOf returns Moves of an [Input].
func movesOf(r *release.Release, before *release.Settings) *InputMoves {
	if r.Old == nil {
		return nil
	}
	out := InputMoves{Pruning: r.Pruning}
	if was := r.Replaced; was != nil && (was.Namespace != r.Namespace || was.Name != r.Name) {
		out.Object = &InputRename{release.Name{Namespace: was.Namespace, Name: was.Name}, release.Name{Namespace: r.Namespace, Name: r.Name}, r.Resembles}
	}
	if before != nil && r.Settings != nil && before.Target != r.Settings.Target {
		out.Target = &InputMove[release.Target]{before.Target, r.Settings.Target}
	}
	if differs(r, release.ChartInSource) || differs(r, release.ChartInURL) {
		chart := release.Path{"spec", "chart"}
		out.Chart = &InputMove[any]{chart.In(r.Old), chart.In(r.Object)}
	}
	if out == (InputMoves{}) {
		return nil
	}
	return &out
}

// differs reports whether an update changes a field.
func differs(r *release.Release, field release.Path) bool {
	return !reflect.DeepEqual(field.In(r.Object), field.In(r.Old))
}
