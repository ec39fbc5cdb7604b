// Package metrics reads the rules of a tree for Prometheus or Grafana that alert on the metrics of Flux: in objects of their
// own, in the values and templates of charts, in the data of ConfigMaps. It knows no clusters.
package metrics

import (
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/alert"
)

// Rules are the rules of a tree.
type Rules struct {
	alerts   []Alert
	recorded alert.Recorded
}

// Alert is a rule that alerts.
type Alert struct {
	File string // in the tree
	// Chart is the folder of the chart that has the file; empty if none has.
	Chart string

	shown    string // the file as people know it
	name     string // of the alert; empty if it has none
	expr     string // of a template it is not known
	template bool
}

// String says where it is.
func (a Alert) String() string {
	if a.name == "" {
		return "alert in " + a.shown
	}
	return fmt.Sprintf("alert %s in %s", a.name, a.shown)
}

// Read reads the rules of all manifests of a tree. What rules record from the metrics of Flux counts as one of them.
func Read(files *tree.Tree) *Rules {
	r := &Rules{}
	for known := -1; len(r.recorded) > known; {
		known = len(r.recorded)
		r.read(files)
	}
	return r
}

// read reads the rules on what is known of metrics.
func (r *Rules) read(files *tree.Tree) {
	reader := ruleReader{metrics: slices.Concat(alert.Metrics, slices.Sorted(maps.Keys(r.recorded))), recorded: alert.Recorded{}}
	for _, name := range files.Paths() {
		if !build.IsManifest(name) {
			continue
		}
		if data, err := files.File(name).Data(); err == nil && reader.mentions(data) {
			reader.in = Alert{File: name, shown: files.Name(name), Chart: chartOf(files, name)}
			reader.file(data)
		}
	}
	r.alerts, r.recorded = reader.alerts, reader.recorded
}

// chartOf returns the outermost folder above a file that is a Helm chart; empty if none is.
func chartOf(files *tree.Tree, name string) (chart string) {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if files.Exists(path.Join(dir, "Chart.yaml")) {
			chart = dir
		}
	}
	return chart
}

// Tells says whether a rule alerts on the failures of a release, and which one does or may. applied says whether the cluster
// of the release has a rule.
func (r *Rules) Tells(of alert.Subject, applied func(Alert) alert.Certainty) (alert.Certainty, string) {
	found, which := alert.No, ""
	for _, a := range r.alerts {
		fires := alert.Maybe
		if !a.template {
			fires = r.recorded.Fires(a.expr, of)
		}
		if fires = min(fires, applied(a)); fires > found {
			found, which = fires, a.String()
		}
	}
	return found, which
}
