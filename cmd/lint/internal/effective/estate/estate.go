// Package estate holds what the kustomize-controller of a cluster works on: its Kustomizations and releases, who waits for
// whom, and what is not known of that. It says what is above a release, which of its dependencies are never ready, and what
// holds up when it fails, as package wave simulates it.
package estate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/forecast/wave"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Estate is what the kustomize-controller of a cluster works on.
type Estate struct {
	fleet wave.Fleet
	links wave.Links
	host  string
	// depended are the Kustomizations that something may wait for.
	depended map[string]bool
	// whole: the tree shows all of the cluster.
	whole bool
	// unknown says what is not known of a Kustomization, by its name.
	unknown map[string][]string
	// expressed says who depends on a release or Kustomization by an expression, by Kind/name.
	expressed map[string][]string
	at        map[string]int // the releases by name, once they are asked for
	graph     wave.Graph     // who needs whom, once it is asked for
	mutex     sync.Mutex
	radii     map[radiusKey]*wave.Radius
	// waiting is what [Estate.Waiting] has returned, and shared are the releases that several Kustomizations apply.
	waiting map[string][]string
	shared  map[string]bool
	secrets variables.Secrets // of its tree
}

// radiusKey is all that a radius depends on.
type radiusKey struct {
	parent, name, scenario string // the name if others of the Kustomization may hold up something else
	settings               release.Settings
	version, gates         string
	opts                   forecast.Options
}

// All are the estates of the clusters of a tree. It is safe for concurrent use.
type All struct {
	Secrets variables.Secrets // of all clusters: no radius tells them
	mutex   sync.Mutex
	known   map[key]*Estate
}

type key struct {
	in   *fleet.Resolved
	host string
}

// Of returns the estate of the cluster that a Kustomization lives in.
func (a *All) Of(in *fleet.Resolved, k *entries.Kustomization) *Estate {
	at := key{in, in.Host(k)}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if a.known == nil {
		a.known = map[key]*Estate{}
	}
	if a.known[at] == nil {
		a.known[at] = estateOf(in, at.host)
		a.known[at].secrets = a.Secrets
	}
	return a.known[at]
}

func estateOf(in *fleet.Resolved, host string) *Estate {
	e := &Estate{
		host: host, whole: in.Whole(), unknown: map[string][]string{}, expressed: map[string][]string{}, radii: map[radiusKey]*wave.Radius{},
		waiting: map[string][]string{}, shared: map[string]bool{},
	}
	all := in.Kustomizations(host)
	var on [][]wave.On
	for _, k := range all {
		made, depends, err := wave.Decode(resource.Readable(k.Object))
		if err != nil {
			e.unknown[made.Name] = append(e.unknown[made.Name], fmt.Sprintf("Kustomization %s: %v", made.Name, err))
		}
		if k.Parent != nil && !k.Parent.Folder {
			made.Parent = k.Parent.FullName()
		}
		e.fleet.Kustomizations, on = append(e.fleet.Kustomizations, made), append(on, depends)
	}
	parents := map[string]string{}
	for _, applied := range in.Releases {
		name := e.nameOf(variables.Unmark(object.FullName(applied.Object)), in.Target(applied.By))
		if in.Host(applied.By) != host {
			continue
		}
		if parent, seen := parents[name]; seen {
			e.shared[name] = e.shared[name] || parent != applied.By.FullName()
		} else {
			parents[name] = applied.By.FullName()
			e.fleet.Releases = append(e.fleet.Releases, wave.Release{Name: name, Parent: applied.By.FullName()})
			e.follow(&e.fleet.Releases[len(e.fleet.Releases)-1], applied.Object, in.Target(applied.By))
		}
	}
	for i, k := range all {
		e.depend(&e.fleet.Kustomizations[i], on[i])
		e.check(&e.fleet.Kustomizations[i], in.Target(k))
	}
	e.spread()
	e.links = e.fleet.Links()
	e.fleet.Controller.Concurrent = in.Workers(host)
	return e
}

// nameOf returns the name of a release, with its cluster if that is another one than the Kustomization is in.
func (e *Estate) nameOf(name, cluster string) string {
	if cluster == e.host {
		return name
	}
	return fmt.Sprintf("%s (cluster %s)", name, cluster)
}

// check keeps the health checks of what is known here, and of what is known to be missing.
func (e *Estate) check(k *wave.Kustomization, target string) {
	var known []string
	for _, check := range k.Checks {
		kind, name, _ := strings.Cut(check, "/")
		switch {
		case kind == "HelmRelease" && slices.ContainsFunc(e.fleet.Releases, func(r wave.Release) bool { return r.Name == e.nameOf(name, target) }):
			known = append(known, kind+"/"+e.nameOf(name, target))
		case kind == "Kustomization" && target == e.host && (e.has(name) || e.whole):
			known = append(known, check)
		case kind == "HelmRelease" && target == e.host && e.whole:
			known = append(known, check)
		case !k.Wait:
			e.unknown[k.Name] = append(e.unknown[k.Name], fmt.Sprintf("Kustomization %s checks the health of %s %s, which is not followed", k.Name, kind, name))
		}
	}
	k.Checks = known
	for _, kind := range k.Expressed {
		if k.Wait || slices.ContainsFunc(known, func(check string) bool { return strings.HasPrefix(check, kind+"/") }) {
			e.unknown[k.Name] = append(e.unknown[k.Name], fmt.Sprintf("Kustomization %s judges the health of each %s by its healthCheckExprs, which are not evaluated", k.Name, kind))
		}
	}
}

// has reports whether the cluster has a Kustomization.
func (e *Estate) has(name string) bool {
	return slices.ContainsFunc(e.fleet.Kustomizations, func(k wave.Kustomization) bool { return k.Name == name })
}

// depend adds what a Kustomization depends on.
func (e *Estate) depend(k *wave.Kustomization, all []wave.On) {
	for _, on := range all {
		switch {
		case on.Expressed:
			why := fmt.Sprintf("Kustomization %s depends on %s by a readyExpr, which is not evaluated", k.Name, on.Name)
			e.unknown[k.Name] = append(e.unknown[k.Name], why)
			e.expressed["Kustomization/"+on.Name] = append(e.expressed["Kustomization/"+on.Name], why)
		case !e.has(on.Name):
			e.unknown[k.Name] = append(e.unknown[k.Name], fmt.Sprintf("Kustomization %s depends on %s, which is not in the tree", k.Name, on.Name))
		default:
			k.DependsOn = append(k.DependsOn, on.Name)
		}
	}
}

// Depended reports whether anything may wait for a Kustomization: what depends on it, or on one that waits for it.
func (e *Estate) Depended(kustomization string) bool { return e.depended[kustomization] }

// follow adds what a release depends on, and when it looks at that.
func (e *Estate) follow(r *wave.Release, of map[string]any, cluster string) {
	r.Suspend = object.At(of, "spec", "suspend") == true
	on := object.At(of, "spec", "dependsOn")
	if on == nil {
		return
	}
	interval, depends, err := wave.DecodeRelease(resource.Readable(map[string]any{
		"metadata": of["metadata"], "spec": map[string]any{"interval": object.At(of, "spec", "interval"), "dependsOn": on},
	}))
	if err != nil {
		return // the API refuses it
	}
	r.Interval.Duration = interval
	for _, on := range depends {
		name := e.nameOf(on.Name, cluster)
		if on.Expressed {
			e.expressed["HelmRelease/"+name] = append(e.expressed["HelmRelease/"+name], fmt.Sprintf("HelmRelease %s depends on it by a readyExpr, which is not evaluated", r.Name))
			continue
		}
		r.DependsOn = append(r.DependsOn, name)
	}
}

// spread marks the Kustomizations that something depends on, and those that such a one waits for: those that it
// applies, and those of the releases that it checks.
func (e *Estate) spread() {
	e.depended = map[string]bool{}
	parents := map[string]string{} // of releases
	for _, r := range e.fleet.Releases {
		parents[r.Name] = r.Parent
	}
	var queue []string
	below := map[string][]string{}
	for _, r := range e.fleet.Releases {
		for _, on := range r.DependsOn {
			if parent, known := parents[on]; known {
				queue = append(queue, parent)
			}
		}
	}
	for _, k := range e.fleet.Kustomizations {
		below[k.Parent] = append(below[k.Parent], k.Name)
		for _, check := range k.Checks {
			name, _ := strings.CutPrefix(check, "HelmRelease/")
			if parent, known := parents[name]; known {
				below[k.Name] = append(below[k.Name], parent)
			}
		}
		queue = append(queue, k.DependsOn...)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if !e.depended[queue[0]] {
			e.depended[queue[0]] = true
			queue = append(queue, below[queue[0]]...)
		}
	}
}

// Radius returns what a release of the estate holds up in a scenario: nil if the scenario does not begin with a commit. Releases of one Kustomization that are set alike
// hold up the same.
func (e *Estate) Radius(r *release.Release, scenario forecast.Scenario, opts forecast.Options) *wave.Radius {
	name, settings := e.nameOf(r.Namespace+"/"+r.Name, r.Cluster), *r.Settings
	settings.Target = release.Target{}
	e.mutex.Lock()
	defer e.mutex.Unlock()
	at, known := e.places()[name]
	if !known {
		return nil
	}
	own := e.fleet.Releases[at]
	own.Settings, own.Controller = *r.Settings, r.Controller
	key := radiusKey{own.Parent, e.apart(name), scenario.Name, settings, r.Controller.Version, fmt.Sprint(r.Controller.Gates), opts}
	if known, seen := e.radii[key]; seen {
		return known
	}
	var out *wave.Radius
	if found, ok := wave.RadiusOf(e.fleet, e.links, own, scenario, opts); ok {
		out = &found
		e.doubt(out, own.Parent)
		out.Unknown = append(out.Unknown, e.expressed["HelmRelease/"+name]...)
		e.hide(out)
	}
	e.radii[key] = out
	return out
}

// apart returns the name of a release if something waits for it alone, and not for all of its Kustomization.
func (e *Estate) apart(name string) string {
	checked := slices.ContainsFunc(e.fleet.Kustomizations, func(k wave.Kustomization) bool { return slices.Contains(k.Checks, "HelmRelease/"+name) })
	if checked || slices.ContainsFunc(e.fleet.Releases, func(r wave.Release) bool { return slices.Contains(r.DependsOn, name) }) {
		return name
	}
	return ""
}

// doubt adds what is not known of the Kustomizations of a radius.
func (e *Estate) doubt(r *wave.Radius, own string) {
	all := slices.Clone(e.unknown[own])
	for _, l := range r.Lanes {
		all = slices.Concat(all, e.unknown[l.Kustomization], e.expressed["Kustomization/"+l.Kustomization])
	}
	for _, why := range all {
		if !slices.Contains(r.Unknown, why) {
			r.Unknown = append(r.Unknown, why)
		}
	}
}

// hide masks what Secrets supply of the names in a radius.
func (e *Estate) hide(r *wave.Radius) {
	if len(e.secrets) == 0 {
		return
	}
	lists := []*[]string{&r.Releases, &r.Dependents, &r.Unknown}
	for i := range r.Lanes {
		r.Lanes[i].Kustomization = e.secrets.Mask(r.Lanes[i].Kustomization)
		lists = append(lists, &r.Lanes[i].For)
	}
	for _, names := range lists {
		if *names != nil {
			*names = append([]string{}, e.secrets.MaskAll(*names)...)
		}
	}
}
