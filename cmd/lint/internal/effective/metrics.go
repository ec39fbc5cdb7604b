package effective

import (
	"fmt"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/pkg/alert"
)

// metrics are the rules of a tree for Prometheus or Grafana that alert on the metrics of Flux.
type metrics struct {
	fleet    *fleet.Fleet
	alerts   []metricAlert
	recorded alert.Recorded
	built    map[builtKey]bool
}

// builtKey is a file and a cluster that may build from it.
type builtKey struct {
	in            *fleet.Resolved
	cluster, file string
}

// metricAlert is one of them.
type metricAlert struct {
	file  string // in the tree
	shown string // the file as people know it
	name  string // of the alert; empty if it has none
	// expr is the expression; of a template it is not known.
	expr     string
	template bool
	// chart is the folder of the chart that has the file; empty if none has.
	chart string
}

// String says where it is.
func (a metricAlert) String() string {
	if a.name == "" {
		return "alert in " + a.shown
	}
	return fmt.Sprintf("alert %s in %s", a.name, a.shown)
}

// readMetrics reads the rules of all manifests of the tree: in objects of their own, in the
// values of a chart, in the data of a ConfigMap. What rules record from the metrics of Flux
// counts as one of them.
func (l *loader) readMetrics() *metrics {
	m := &metrics{fleet: l.fleet, built: map[builtKey]bool{}}
	for known := -1; len(m.recorded) > known; {
		known = len(m.recorded)
		m.read(l)
	}
	return m
}

// read reads the rules on what is known of metrics.
func (m *metrics) read(l *loader) {
	r := ruleReader{metrics: slices.Concat(alert.Metrics, sortedKeys(m.recorded)), recorded: alert.Recorded{}}
	for _, name := range l.in.Files.Paths() {
		if !build.IsManifest(name) {
			continue
		}
		if data, err := l.in.Files.File(name).Data(); err == nil && r.mentions(data) {
			r.in = metricAlert{file: name, shown: l.in.Files.Name(name), chart: l.chartOf(name)}
			r.file(data)
		}
	}
	m.alerts, m.recorded = r.alerts, r.recorded
}

// chartOf returns the outermost folder above a file that is a Helm chart; empty if none is.
func (l *loader) chartOf(name string) (chart string) {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if l.in.Files.Exists(path.Join(dir, "Chart.yaml")) {
			chart = dir
		}
	}
	return chart
}

// tells says whether a rule alerts on the failures of a release, and which one does or may.
func (m *metrics) tells(r *Release) (alert.Certainty, string) {
	found, which := alert.No, ""
	for _, a := range m.alerts {
		fires := alert.Maybe
		if !a.template {
			fires = m.recorded.Fires(a.expr, subjectOf(r))
		}
		if fires = min(fires, m.applied(a, r)); fires > found {
			found, which = fires, a.String()
		}
	}
	return found, which
}

// applied says whether the cluster of a release has a rule. Whether one of a chart is rendered
// is up to its values.
func (m *metrics) applied(a metricAlert, r *Release) alert.Certainty {
	switch {
	case a.chart != "" && r.cluster.MayInstall(r.Cluster, a.chart):
		return alert.Maybe
	case m.builtFrom(builtKey{r.cluster, r.Cluster, a.file}):
		return alert.Yes
	}
	return alert.No
}

func (m *metrics) builtFrom(key builtKey) bool {
	built, known := m.built[key]
	if !known {
		built = m.fleet.BuiltFrom(key.in, key.cluster, key.file)
		m.built[key] = built
	}
	return built
}
