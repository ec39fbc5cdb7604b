package fleet

import (
	"cmp"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// flux says which Flux a cluster has.
type flux struct {
	*lookup
	before *flux // as the base of a change has it; nil if there is none
	// installers are the objects that may install a controller, and published what the
	// manifests install that Flux publishes, by cluster.
	installers map[string][]applied
	published  map[string][]controllers.Installation
	remarks    map[string][]string // on what depends on an unknown version, by cluster
	versions   map[string]fluxVersion
	installs   cores.Once[instance, controllers.Installation]
}

// instance is what describes a FluxInstance, by its address, with a name for people.
type instance struct {
	object uintptr
	name   string
}

// add records an object that may install a controller.
func (f *flux) add(cluster string, a applied) {
	switch a.object["kind"] {
	case "HelmRelease":
		if controllers.InstanceSpec(a.object) == nil {
			return
		}
	case "Deployment", "FluxInstance":
	default:
		return
	}
	f.installers[cluster] = append(f.installers[cluster], a)
}

// installation returns the installation of a cluster. The first that is found counts:
// what the entry describes or applies itself; a FluxInstance that is applied; a
// Kustomization that applies the whole of Flux; one that applies Flux's manifests from
// where they are published; what flux bootstrap has written beside its entry.
func (f *flux) installation(cluster string) controllers.Installation {
	now := f.installed(cluster)
	if f.before == nil {
		return now
	}
	was := f.before.installed(cluster)
	why := now.Stands(f.index.Builder, was)
	if why == "" {
		return now
	}
	was.Notes = append(was.Notes, why+": what the base of the change installs is used")
	return was
}

// installed returns the installation of a cluster as it is written.
func (f *flux) installed(cluster string) controllers.Installation {
	out := controllers.Installation{Notes: slices.Clone(f.remarks[cluster])}
	found := slices.Concat(f.entryInstallations(cluster), f.deployed(cluster, true, &out), f.instances(cluster),
		f.deployed(cluster, false, &out), f.published[cluster], f.bootstrapFile(cluster))
	if len(found) == 0 {
		return out
	}
	first := found[0]
	first.Notes = append(first.Notes, out.Notes...)
	for _, other := range found[1:] {
		if !controllers.SameController(first.Controller, other.Controller) {
			first.Notes = append(first.Notes, fmt.Sprintf("%s installs %s, which is not used: %s is", other.From, controllers.Described(other.Controller), found[0].From))
		}
	}
	return first
}

// entryInstallations returns what the entry of a cluster describes: as it is applied, if
// it applies its own description.
func (f *flux) entryInstallations(cluster string) []controllers.Installation {
	if cluster != f.cluster.Name || f.cluster.Installs == nil {
		return nil
	}
	own := *f.cluster.Installs
	for _, applied := range f.instances(cluster) {
		if applied.File != "" && applied.File == own.File {
			return []controllers.Installation{applied}
		}
	}
	return []controllers.Installation{own}
}

// instances returns what the FluxInstances install that are applied to a cluster.
func (f *flux) instances(cluster string) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range f.installers[cluster] {
		if controllers.InstanceSpec(a.object) == nil || !controllers.CreatesInstance(a.object, f.fluxNamespace()) {
			continue
		}
		name := fmt.Sprintf("%v %s", a.object["kind"], object.FullName(a.object))
		found := f.ofInstance(a.object, name)
		found.File, _ = f.index.Place(a.object)
		found.Stopped = cmp.Or(presence.Idle(a.object), found.Stopped)
		out = append(out, found)
	}
	return out
}

// ofInstance returns what a FluxInstance of the pass installs. Each object of Flux asks for it.
func (f *flux) ofInstance(obj map[string]any, name string) controllers.Installation {
	out := f.installs.Of(instance{reflect.ValueOf(obj).Pointer(), name}, func() controllers.Installation {
		installed, _ := controllers.OfInstance(f.index.Builder, obj, name)
		return installed
	})
	out.Notes, out.Shards = slices.Clone(out.Notes), slices.Clone(out.Shards)
	return out
}

var fluxVersionComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^# Flux [Vv]ersion: (v\S+)`) })

// bootstrapFile returns what flux bootstrap has written beside its entry, also if the
// entry cannot be built.
func (f *flux) bootstrapFile(cluster string) []controllers.Installation {
	file := path.Join(path.Dir(f.cluster.File), "gotk-components.yaml")
	written := f.index.Files.File(file)
	if cluster != f.cluster.Name || f.cluster.Found != entries.Bootstrapped || written == nil {
		return nil
	}
	data, err := written.Data()
	if err != nil {
		return nil
	}
	out := controllers.Installation{From: file}
	if m := fluxVersionComment().FindSubmatch(data); m != nil {
		out.Controller.Version = controllers.HelmController(string(m[1]))
	}
	if parsed := f.index.Parse(file); parsed != nil {
		object.Each(parsed, func(_ *yamledit.Document, obj map[string]any) {
			if found, official := controllers.RunningIn(obj, f.configMaps(cluster, obj)); official && f.isController(obj, controllers.Helm) {
				out.Controller, out.Locked, out.Watched, out.Notes = found.Controller, found.Locked, found.Watched, append(out.Notes, found.Notes...)
			}
		})
	}
	if out.Controller.Version == "" {
		return nil
	}
	return []controllers.Installation{out}
}

// publishes reports whether a Kustomization applies Flux's own manifests from where they
// are published, and records what it installs. They hold no release.
func (f *flux) publishes(k *entries.Kustomization) bool {
	ref := sources.Ref(k.Object)
	source := f.nearest(f.cluster.Host(k), ref)
	if !controllers.Publishes(ref.Kind, source) {
		return false
	}
	if in := object.String(k.Object, "spec", "targetNamespace"); object.Namespace(k.Object) != f.fluxNamespace() || in != "" && in != f.fluxNamespace() {
		return true
	}
	patches, _ := object.At(k.Object, "spec", "patches").([]any)
	target := f.cluster.Target(k)
	f.published[target] = append(f.published[target], controllers.OfPublished(f.index.Builder, ref.Kind+" "+ref.Namespace+"/"+ref.Name, source, patches))
	return true
}
