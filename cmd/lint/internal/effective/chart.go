package effective

import (
	"cmp"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/pkg/release"
)

// ChartName returns the name of the chart that a release is of, whatever its source is called: of a chartRef by the URL of the
// OCIRepository, or by the HelmChart, where the tree has that, else [release.ChartName].
func (r *Release) ChartName() string {
	own := release.ChartName(r.Object)
	ref, set := r.Value(release.Path{"spec", "chartRef"})
	if !set || r.cluster == nil {
		return own
	}
	source := r.cluster.Written(r.Cluster, sources.ReferenceOf(ref, r.Object).String())
	return cmp.Or(release.ChartName(map[string]any{"spec": map[string]any{"chart": source}}), own)
}
