//go:build flux

package flux

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// wavy is a fleet that goes through a wave, and the specs of its releases beyond what all have.
type wavy struct {
	Name string `json:"name"`
	// Specs are those of the releases, by name.
	Specs map[string]string `json:"specs"`
	wave.Fleet
}

// classes are the specs of the release that fails, with times that a test can wait for.
var classes = map[string]string{
	"bounded":  `{"timeout":"12s"}`,
	"refused":  `{"timeout":"12s"}`, // by the API server, at once
	"rollback": `{"timeout":"12s","install":{"remediation":{"retries":1}},"upgrade":{"remediation":{"retries":1}}}`,
	"retry":    `{"timeout":"12s","install":{"strategy":{"name":"RetryOnFailure","retryInterval":"22s"}},"upgrade":{"strategy":{"name":"RetryOnFailure","retryInterval":"22s"}}}`,
	"slow":     `{"timeout":"47s"}`, // longer than its Kustomization waits
}

const good = `{"timeout":"2m"}`

// topology is a shape of a fleet around the release r that fails, above which the Kustomization a is.
type topology struct {
	name string
	make func(f *wavy)
}

var topologies = []topology{
	{"one", func(f *wavy) { f.above("a", "r") }},
	{"checked", func(f *wavy) {
		f.above("a", "r", "s")
		f.find("a").Wait, f.find("a").Checks = false, []string{"HelmRelease/r"}
	}},
	{"unchecked", func(f *wavy) {
		f.above("a", "r", "s")
		f.find("a").Wait, f.find("a").Checks = false, []string{"HelmRelease/s"}
		f.above("b", "t").DependsOn = []string{"a"}
	}},
	{"parent", func(f *wavy) {
		f.above("p")
		f.above("a", "r").Parent = "p"
	}},
	{"chain", func(f *wavy) {
		f.above("a", "r")
		f.above("b", "s").DependsOn = []string{"a"}
		f.above("c", "t").DependsOn = []string{"b"}
	}},
	{"other-source", func(f *wavy) {
		f.above("a", "r")
		b := f.above("b", "s")
		b.DependsOn, b.Source = []string{"a"}, "other"
	}},
	{"diamond", func(f *wavy) {
		f.above("p").Wait = false
		for _, k := range []*wave.Kustomization{f.above("a", "r"), f.above("b", "s"), f.above("c", "t"), f.above("d", "u")} {
			k.Parent = "p"
		}
		f.find("b").DependsOn, f.find("c").DependsOn, f.find("d").DependsOn = []string{"a"}, []string{"a"}, []string{"b", "c"}
	}},
}

// stories are what happens to r.
var stories = map[string][]wave.Event{
	"fails":       {commit(0, forecast.New)},
	"fixed-soon":  {commit(0, forecast.New), commit(9, forecast.Fixed)},
	"fixed-late":  {commit(0, forecast.New), commit(50, forecast.Fixed)},
	"other":       {commit(0, forecast.New), commit(10, ""), commit(43, "")},
	"healed":      {commit(0, forecast.New), outside(20, wave.Heal, "r")},
	"reconciled":  {commit(0, forecast.New), outside(50, wave.Reconcile, "a")},
	"new-fails":   nil, // what was not there before
	"new-fixed":   {commit(50, forecast.Fixed)},
	"good":        {commit(0, forecast.Fixed)},
	"healed-late": {commit(0, forecast.New), outside(52, wave.Heal, "r"), commit(63, "")},
}

func commit(at int, version forecast.Version) wave.Event {
	e := outside(at, wave.Commit, "main")
	if version != "" {
		e.Versions = map[string]forecast.Version{"r": version}
	}
	return e
}

func outside(at int, what wave.What, on string) wave.Event {
	return wave.Event{At: seconds(at), What: what, On: on}
}

func seconds(n int) release.Duration {
	return release.Duration{Duration: time.Duration(n) * time.Second}
}

// waves lists the fleets: all topologies in their stories, and those of one fact.
func waves() []*wavy {
	var all []*wavy
	for _, t := range topologies {
		for _, story := range slices.Sorted(maps.Keys(stories)) {
			for _, class := range slices.Sorted(maps.Keys(classes)) {
				if !telling(t.name, story, class) {
					continue
				}
				f := newWave(t.name+"-"+story+"-"+class, class)
				f.Fresh = strings.HasPrefix(story, "new")
				if f.Fresh {
					f.First = map[string]forecast.Version{"r": forecast.New}
				}
				f.Events = stories[story]
				t.make(f)
				all = append(all, f)
			}
		}
	}
	return append(all, facts()...)
}

// telling reports whether a run tells more than another one.
func telling(topology, story, class string) bool {
	switch {
	case strings.HasPrefix(story, "healed") && class == "rollback": // its times depend on how long Helm looks
		return false
	case story == "good":
		return class == "bounded"
	case class == "slow":
		return topology == "one"
	case class == "rollback":
		return topology == "one" || topology == "chain" && strings.HasPrefix(story, "f")
	case class == "refused" && (topology == "diamond" || topology == "parent"):
		return story == "fails"
	case story == "healed-late" || story == "reconciled":
		return topology == "one" || topology == "parent"
	case topology == "unchecked" || topology == "checked" || topology == "other-source":
		return class == "bounded" || class == "retry"
	}
	return true
}

func newWave(name, class string) *wavy {
	f := &wavy{Name: name, Specs: map[string]string{}}
	f.Controller = wave.Controller{Concurrent: 100, RequeueDependency: seconds(5)}
	f.Until = seconds(121)
	f.Specs["r"] = classes[class]
	f.Releases = nil
	if class == "refused" {
		f.Releases = append(f.Releases, wave.Release{Name: "r", Refused: true})
	}
	return f
}

// above adds a Kustomization that waits, above releases.
func (f *wavy) above(name string, releases ...string) *wave.Kustomization {
	f.Kustomizations = append(f.Kustomizations, wave.Kustomization{
		Name: name, Source: "main", Interval: seconds(3600), Retry: seconds(25), Timeout: seconds(30), Wait: true,
	})
	for _, r := range releases {
		at := slices.IndexFunc(f.Releases, func(known wave.Release) bool { return known.Name == r })
		if at < 0 {
			f.Releases = append(f.Releases, wave.Release{Name: r})
			at = len(f.Releases) - 1
		}
		f.Releases[at].Parent = name
		if f.Specs[r] == "" {
			f.Specs[r] = good
		}
	}
	return f.find(name)
}

func (f *wavy) find(name string) *wave.Kustomization {
	i := slices.IndexFunc(f.Kustomizations, func(k wave.Kustomization) bool { return k.Name == name })
	return &f.Kustomizations[i]
}

// special lists the runs of one fact each.
func facts() []*wavy {
	var all []*wavy
	add := func(name, class string, events []wave.Event, make func(f *wavy)) *wavy {
		f := newWave(name, class)
		f.Events = events
		make(f)
		all = append(all, f)
		return f
	}
	fails := stories["fails"]
	for _, class := range []string{"bounded", "retry", "refused"} {
		for _, story := range []string{"fails", "fixed-soon", "other"} {
			add("gate-"+story+"-"+class, class, stories[story], func(f *wavy) {
				f.above("a", "r")
				f.Controller.Cancels = true
			})
		}
		add("patient-fails-"+class, class, fails, func(f *wavy) {
			f.above("a", "r", "s")
			f.Controller.Patient = true
		})
		add("patient-both-"+class, class, []wave.Event{{What: wave.Commit, On: "main", Versions: map[string]forecast.Version{"r": forecast.New, "s": forecast.New}}}, func(f *wavy) {
			f.above("a", "r", "s")
			f.Specs["s"] = classes["retry"]
			f.Controller.Patient = true
		})
		add("long-timeout-fails-"+class, class, fails, func(f *wavy) { f.above("a", "r").Timeout = seconds(60) })
		add("quick-retry-fails-"+class, class, fails, func(f *wavy) { f.above("a", "r").Retry = seconds(12) })
		add("by-interval-fails-"+class, class, fails, func(f *wavy) {
			a := f.above("a", "r")
			a.Interval, a.Retry, a.Timeout = seconds(70), seconds(70), seconds(40)
		})
		add("suspended-dependency-"+class, class, append([]wave.Event{outside(0, wave.Suspend, "a")}, commit(3, forecast.New), outside(60, wave.Resume, "a")), func(f *wavy) {
			f.above("a", "r")
			f.above("b", "s").DependsOn = []string{"a"}
		})
		add("suspended-other-source-"+class, class, append([]wave.Event{outside(0, wave.Suspend, "a")}, commit(3, forecast.New)), func(f *wavy) {
			f.above("a", "r")
			b := f.above("b", "s")
			b.DependsOn, b.Source = []string{"a"}, "other"
			f.Events = append(f.Events, outside(20, wave.Commit, "other"))
		})
		add("other-source-commit-"+class, class, []wave.Event{commit(0, forecast.New), outside(20, wave.Commit, "other"), commit(64, forecast.Fixed)}, func(f *wavy) {
			f.above("a", "r")
			b := f.above("b", "s")
			b.DependsOn, b.Source = []string{"a"}, "other"
		})
		add("dependency-not-waiting-"+class, class, fails, func(f *wavy) {
			f.above("a", "r").Wait = false
			f.above("b", "s").DependsOn = []string{"a"}
		})
		add("release-dependency-"+class, class, nil, func(f *wavy) {
			f.above("a", "r")
			f.above("b", "s")
			f.Fresh, f.First = true, map[string]forecast.Version{"r": forecast.New}
			f.release("s").DependsOn = []string{"r"}
		})
		add("release-dependency-changed-"+class, class, []wave.Event{
			commit(0, forecast.New), {At: seconds(6), What: wave.Commit, On: "main", Versions: map[string]forecast.Version{"s": forecast.Fixed}},
		}, func(f *wavy) {
			f.above("a", "r")
			f.above("b", "s")
			f.release("s").DependsOn = []string{"r"}
		})
		add("release-dependency-looked-at-"+class, class, slices.Concat(fails, []wave.Event{outside(64, wave.Commit, "other")}), func(f *wavy) {
			f.above("a", "r")
			f.above("b", "s").Source = "other"
			f.release("s").DependsOn, f.release("s").Interval = []string{"r"}, seconds(20)
		})
		for workers := range 2 {
			add(fmt.Sprintf("workers-%d-%s", workers+1, class), class, []wave.Event{
				{What: wave.Commit, On: "main", Versions: map[string]forecast.Version{"r": forecast.New, "s": forecast.New, "t": forecast.New}},
			}, func(f *wavy) {
				f.Controller.Concurrent = workers + 1
				for i, r := range []string{"r", "s", "t"} {
					f.above(string("abc"[i]), r)
					f.Specs[r] = classes[class]
					f.release(r).Refused = class == "refused"
				}
			})
		}
	}
	add("circle", "bounded", []wave.Event{commit(0, forecast.New)}, func(f *wavy) {
		f.above("a", "r").Interval = seconds(50)
		f.above("b", "s").DependsOn = []string{"c"}
		f.above("c", "t").DependsOn = []string{"b"}
		f.Fresh, f.Events[0].At = true, seconds(20)
	})
	add("missing", "bounded", fails, func(f *wavy) {
		f.above("a", "r").DependsOn = []string{"gone"}
		f.Fresh = true
	})
	add("parent-suspended-child", "bounded", []wave.Event{outside(0, wave.Suspend, "a"), commit(3, forecast.New)}, func(f *wavy) {
		f.above("p")
		f.above("a", "r").Parent = "p"
	})
	add("new-good", "bounded", nil, func(f *wavy) {
		f.above("p")
		f.above("a", "r").Parent = "p"
		f.Fresh = true
	})
	return all
}

func (f *wavy) release(name string) *wave.Release {
	i := slices.IndexFunc(f.Releases, func(r wave.Release) bool { return r.Name == name })
	return &f.Releases[i]
}
