//go:build flux

package flux

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

var (
	recordings = flag.String("recordings", "", "folder that what the controllers did is written to")
	only       = flag.String("controller", "", "only this `VERSION` of helm-controller, such as v1.4.0, which assets.sh has built")
)

// TestForecast: helm-controller fails the releases of each scenario for real, and the forecast
// says what it does: actions, revisions, counters, end.
func TestForecast(t *testing.T) {
	t.Parallel()
	for _, set := range chosenSets(t) {
		t.Run(string(set), func(t *testing.T) { fail(t, set) })
	}
}

// chosenSets returns the sets of the flag -controller, all that are pinned without it.
func chosenSets(t *testing.T) []Set {
	pinned := []Set{Newest, Oldest}
	if *only == "" {
		return pinned
	}
	for _, set := range pinned {
		if "v"+set.version(t, "helm-controller") == *only {
			return []Set{set}
		}
	}
	return []Set{Set(*only)}
}

// fail runs all scenarios against the controllers of a set.
func fail(t *testing.T, set Set) {
	c := Start(t, set, filepath.Join("testdata", "workload.yaml"))
	w := newWorld(t, c)
	logs := watch(t, c)
	heedLost(c, logs)
	number := set.version(t, "helm-controller")
	var lines sync.Map
	pauses := &measured{by: map[time.Duration][]pause{}}
	defer func() { write(t, set, &lines) }()
	c.Run(t, "helm-controller", helmFlags("shared")...)
	own := make(chan struct{}, 4*runtime.NumCPU()) // runs with a controller of their own, at a time
	t.Run("runs", func(t *testing.T) {
		for _, s := range scenarios {
			for _, name := range slices.Sorted(maps.Keys(configurations)) {
				settings, controller, applies := chosen(t, s, name, number)
				if !applies {
					continue
				}
				t.Run(s.name+"/"+name, func(t *testing.T) {
					t.Parallel()
					if s.ends() {
						defer take(own)()
					}
					defer take(slots)()
					x := &exam{name: name, settings: settings, controller: controller, pauses: pauses}
					x.sit(t, func(t *testing.T, again string) *run { return newRun(t, w, logs, s, name, again, set) })
					if s.told() {
						lines.Store(x.namespace, x.log.digest(name, s.name, x.spec))
					}
				})
			}
		}
	})
	pauses.judge(t)
}

// slots are the runs at a time: most wait, and the machine must keep up with the others.
var slots = make(chan struct{}, 20*runtime.NumCPU())

// take waits for a place, and returns what gives it back.
func take(places chan struct{}) func() {
	places <- struct{}{}
	return func() { <-places }
}

func helmFlags(shard string) []string {
	return []string{"--concurrent=150", "--watch-label-selector=run=" + shard, "--log-level=info"}
}

// version returns the version of a controller of the set, without v.
func (s Set) version(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.dir(), name+".version"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(strings.TrimSpace(string(text)), "v")
}

// feature returns the gates of the scenario.
func (s *scenario) feature() release.Gates {
	if s.gates == "" {
		return nil
	}
	return release.Gates{s.gates: true}
}

// ends reports whether the controller ends in a scenario, or is another one: each such run
// has its own.
func (s *scenario) ends() bool {
	restarted := slices.ContainsFunc(s.events, func(e event) bool { return e.what == "restart" })
	return s.gates != "" || restarted || slices.ContainsFunc(s.troubles, func(t trouble) bool { return t.how == killed || t.how == stopped })
}

// told reports whether a line of a recording tells all of the scenario: not of gates, of when an outage
// ends, and of how often something goes on before an event.
func (s *scenario) told() bool { return s.gates == "" && !s.outage && s.rounds == 0 }

// everywhere are the configurations that are tried in every scenario.
var everywhere = []string{"defaults", "retry", "retry-install", "retry-upgrade", "rollback", "rollback-not-last", "rollback-once", "uninstall"}

// chosen returns the effective settings of a configuration, and whether it is tried in a scenario: the
// scenario must come to pass.
func chosen(t *testing.T, s scenario, name, version string) (release.Settings, release.Controller, bool) {
	t.Helper()
	settings, controller := effective(t, configurations[name], release.Controller{Version: version, Gates: s.feature()})
	tested := strings.Contains(s.name, "test")
	switch {
	case s.gates != "" && !controller.Gates[s.gates]:
		return settings, controller, false // the version has no such gate
	case s.tried != nil:
		return settings, controller, slices.Contains(s.tried, name)
	case tested:
		return settings, controller, strings.HasPrefix(name, "test")
	case s.name == "upgrade-fails" || s.name == "install-fails":
	case strings.Contains(s.name, "+"):
		stuck, _, _ := strings.Cut(s.name, "+")
		needed := forecast.Run(settings, controller, find(t, stuck), forecast.Options{}).Outcome.NeedsHuman
		return settings, controller, needed && slices.Contains(everywhere, name)
	case !slices.Contains(everywhere, name):
		return settings, controller, false
	}
	if s.ends() && s.tried == nil && !slices.Contains([]string{"defaults", "retry", "retry-install", "rollback", "uninstall"}, name) {
		return settings, controller, false // each has a controller of its own
	}
	line := forecast.Run(settings, controller, find(t, s.name), forecast.Options{MaxSteps: -1})
	needs := func(how fate, result forecast.Result) bool {
		wanted := slices.ContainsFunc(s.troubles, func(t trouble) bool { return t.how == how })
		return !wanted || slices.ContainsFunc(line.Steps, func(s forecast.Step) bool { return s.Result == result })
	}
	does := func(letter string, action forecast.Action) bool {
		wanted := slices.ContainsFunc(s.troubles, func(t trouble) bool { return t.actions == letter })
		return !wanted || slices.ContainsFunc(line.Steps, func(s forecast.Step) bool { return s.Action == action })
	}
	return settings, controller, needs(killed, forecast.Killed) && does("R", forecast.Rollback) && (does("X", forecast.Uninstall) || s.steady)
}

// effective decodes a spec for a helm-controller.
func effective(t *testing.T, spec string, controller release.Controller) (release.Settings, release.Controller) {
	t.Helper()
	fields := map[string]any{"interval": "1h", "timeout": "30s", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}}
	if err := json.Unmarshal([]byte(spec), &fields); err != nil {
		t.Fatal(err)
	}
	r, err := release.Decode(map[string]any{"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease", "spec": fields}, controller)
	if err != nil || r.Settings == nil {
		t.Fatalf("%s: %v", spec, err)
	}
	return *r.Settings, r.Controller
}

func find(t *testing.T, name string) forecast.Scenario {
	t.Helper()
	s, err := forecast.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// watch notes what happens to releases and Helm records in the log of their namespace.
func watch(t *testing.T, c *Cluster) *sync.Map {
	t.Helper()
	logs := &sync.Map{}
	note := func(object any, deleted bool) {
		if gone, ok := object.(cache.DeletedFinalStateUnknown); ok {
			object = gone.Obj
		}
		u := object.(*unstructured.Unstructured)
		if l, found := logs.Load(u.GetNamespace()); found && (u.GetKind() == "HelmRelease" && u.GetName() == "app" || u.GetLabels()["owner"] == "helm") {
			l.(*log).add(u, deleted)
		}
	}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(c, 0)
	for _, r := range []string{"helmreleases", "secrets"} {
		resource := HelmReleases
		if r == "secrets" {
			resource = Secrets
		}
		if _, err := factory.ForResource(resource).Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(o any) { note(o, false) },
			UpdateFunc: func(_, o any) { note(o, false) },
			DeleteFunc: func(o any) { note(o, true) },
		}); err != nil {
			t.Fatal(err)
		}
	}
	factory.Start(t.Context().Done())
	factory.WaitForCacheSync(t.Context().Done())
	return logs
}

// newRun prepares a run in a new namespace, and starts its own controller if it will end.
func newRun(t *testing.T, w *world, logs *sync.Map, s scenario, name, again string, set Set) *run {
	t.Helper()
	kind := "Workload"
	if waits := release.Since(release.NewDefault, "waits-by-kstatus"); !(release.Controller{Version: set.version(t, "helm-controller")}).AtLeast(waits) {
		kind = "Deployment" // of which Helm 3 knows when it is ready
	}
	r := &run{
		Cluster: w.Cluster, ctx: within(t, 15*time.Minute), namespace: s.name + "." + name + again, scenario: s,
		place: &place{scenario: s, used: make([]int, len(s.troubles)), decided: map[string]fate{}},
		log:   newLog(), kills: make(chan chan struct{}), charts: charts{w.Artifacts, kind},
	}
	r.namespace = strings.NewReplacer(".", "-", "+", "-").Replace(r.namespace)
	r.namespace = r.namespace[max(0, len(r.namespace)-60):]
	if err := json.Unmarshal([]byte(configurations[name]), &r.spec); err != nil {
		t.Fatal(err)
	}
	r.place.kill = func(soft bool) {
		ended := make(chan struct{})
		r.soft = soft
		select {
		case r.kills <- ended:
			<-ended
		case <-r.ctx.Done():
		}
	}
	r.place.ask = func() { _ = r.annotate(requestedAt, "asked") }
	r.place.fix = func() { _ = r.publish("app", fixedVersion) } // without it the run does not end
	logs.Store(r.namespace, r.log)
	w.mu.Lock()
	w.places[r.namespace] = r.place
	w.mu.Unlock()
	_, err := w.Resource(Namespaces).Create(r.ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": r.namespace},
	}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// write writes what the controllers of a set did. If only some runs were asked for, the others stay as
// they were recorded.
func write(t *testing.T, set Set, lines *sync.Map) {
	if *recordings == "" {
		return
	}
	file := filepath.Join(*recordings, set.version(t, "helm-controller"), "runs.txt")
	all := map[string]string{} // by configuration and scenario
	note := func(line string) {
		f := strings.Split(line, "\t")
		all[f[0]+" "+f[1]] = line
	}
	if strings.Contains(flag.Lookup("test.run").Value.String(), "runs") {
		before, err := os.ReadFile(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(before)) {
			if f := strings.Split(line, "\t"); tried(t, f[1], f[0], set) {
				note(strings.TrimSuffix(line, "\n"))
			}
		}
	}
	lines.Range(func(_, line any) bool {
		note(line.(string))
		return true
	})
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Join(slices.Sorted(maps.Values(all)), "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tried reports whether a configuration is tried in a scenario.
func tried(t *testing.T, name, configuration string, set Set) bool {
	i := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == name })
	if i < 0 || configurations[configuration] == "" {
		return false
	}
	_, _, applies := chosen(t, scenarios[i], configuration, set.version(t, "helm-controller"))
	return applies
}
