package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/presence"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/sources"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// installationIn returns the installation of a cluster. The first that is found counts:
// what the entry describes or applies itself; a FluxInstance that is applied; a
// Kustomization that applies the whole of Flux; one that applies Flux's manifests from
// where they are published; what flux bootstrap has written beside its entry.
func installationIn(p *pass, cluster string) controllers.Installation {
	now := p.installed(cluster)
	if p.before == nil {
		return now
	}
	was := p.before.installed(cluster)
	why := now.Stands(p.index.Builder, was)
	if why == "" {
		return now
	}
	was.Notes = append(was.Notes, why+": what the base of the change installs is used")
	return was
}

// reinstalls reports whether what a cluster has installed may be as it was before a change.
func (p *pass) reinstalls() bool {
	return slices.ContainsFunc(append(slices.Sorted(maps.Keys(p.objects)), p.cluster.Name), func(cluster string) bool {
		return p.installed(cluster).Stands(p.index.Builder, p.before.installed(cluster)) != ""
	})
}

// installed returns the installation of a cluster as it is written.
func (p *pass) installed(cluster string) controllers.Installation {
	out := controllers.Installation{Notes: slices.Clone(p.remarks[cluster])}
	found := slices.Concat(p.entryInstallations(cluster), p.deployed(cluster, true, &out), p.instances(cluster),
		p.deployed(cluster, false, &out), p.published[cluster], p.bootstrapFile(cluster))
	if len(found) == 0 {
		return out
	}
	first := found[0]
	first.Notes = append(first.Notes, out.Notes...)
	if first.Controller.Version == "" && first.Unknown != "" {
		first.From = first.Unknown
	}
	for _, other := range found[1:] {
		if !controllers.SameController(first.Controller, other.Controller) {
			first.Notes = append(first.Notes, fmt.Sprintf("%s installs %s, which is not used: %s is", other.From, controllers.Described(other.Controller), found[0].From))
		}
	}
	return first
}

// fluxNamespace returns the namespace that Flux is installed in.
func (l *lookup) fluxNamespace() string {
	if l.cluster.Found == entries.Bootstrapped {
		return cmp.Or(object.Namespace(l.cluster.Entries[0].Object), "flux-system")
	}
	return "flux-system"
}

// entryInstallations returns what the entry of a cluster describes: as it is applied, if
// it applies its own description.
func (p *pass) entryInstallations(cluster string) []controllers.Installation {
	if cluster != p.cluster.Name || p.cluster.Installs == nil {
		return nil
	}
	own := *p.cluster.Installs
	for _, applied := range p.instances(cluster) {
		if applied.File != "" && applied.File == own.File {
			return []controllers.Installation{applied}
		}
	}
	return []controllers.Installation{own}
}

// instances returns what the FluxInstances install that are applied to a cluster.
func (p *pass) instances(cluster string) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range p.installers[cluster] {
		spec := controllers.InstanceSpec(a.object)
		if spec == nil || !controllers.CreatesInstance(a.object, p.fluxNamespace()) {
			continue
		}
		name := fmt.Sprintf("%v %s", a.object["kind"], object.FullName(a.object))
		_, found := controllers.OfInstance(p.index.Builder, spec, controllers.SyncObject("GitRepository", "flux-system", ""), name)
		found.File, _ = p.index.Place(a.object)
		found.Stopped = cmp.Or(presence.Idle(a.object), found.Stopped)
		out = append(out, found)
	}
	return out
}

// deployed returns what the Deployments of helm-controller install that are applied to a
// cluster: by its entry, or by Kustomizations that apply the whole of Flux.
func (p *pass) deployed(cluster string, byEntry bool, skipped *controllers.Installation) []controllers.Installation {
	var out []controllers.Installation
	for _, a := range p.installers[cluster] {
		if !p.isController(a.object, controllers.Helm) || p.leads(a.by) != byEntry || !byEntry && !p.appliesFlux(cluster, a.by) {
			continue
		}
		name := "Deployment " + object.FullName(a.object)
		found, official := controllers.RunningIn(a.object, p.configMaps(cluster, a.object))
		if !official {
			skipped.Notes = append(skipped.Notes, fmt.Sprintf("%s has the image %s, which does not end in fluxcd/helm-controller and is not used", name, controllers.ImageOf(a.object)))
			continue
		}
		found.From = name
		found.Explain(a.object)
		out = append(out, found)
	}
	return out
}

// configMaps returns the ConfigMaps beside a Deployment. One that the cluster may have with several
// contents is not known.
func (p *pass) configMaps(cluster string, deployment map[string]any) controllers.ConfigMaps {
	return func(name string) map[string]any {
		found := p.known().present(cluster, "ConfigMap/"+object.Namespace(deployment)+"/"+name)
		if name == "" || len(found) != 1 {
			return nil
		}
		data, _ := object.At(found[0].object, "data").(map[string]any)
		return data
	}
}

// isController reports whether an object is the Deployment of a controller of Flux.
func (p *pass) isController(obj map[string]any, name string) bool {
	return object.Is(obj, "Deployment") && object.Name(obj) == name && object.Namespace(obj) == p.fluxNamespace()
}

// leads reports whether a Kustomization is an entry of the cluster that it applies to.
func (p *pass) leads(k *entries.Kustomization) bool {
	return k.Parent == nil || entries.RemoteOf(k.Object) != ""
}

// appliesFlux reports whether a Kustomization applies not only helm-controller.
func (p *pass) appliesFlux(cluster string, k *entries.Kustomization) bool {
	for _, name := range []string{controllers.Source, controllers.Kustomize} {
		if !slices.ContainsFunc(p.installers[cluster], func(a applied) bool {
			return a.by == k && p.isController(a.object, name) && len(controllers.OfficialContainers(a.object, name)) > 0
		}) {
			return false
		}
	}
	return true
}

var fluxVersionComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^# Flux [Vv]ersion: (v\S+)`) })

// bootstrapFile returns what flux bootstrap has written beside its entry, also if the
// entry cannot be built.
func (p *pass) bootstrapFile(cluster string) []controllers.Installation {
	file := path.Join(path.Dir(p.cluster.File), "gotk-components.yaml")
	f := p.index.Files.File(file)
	if cluster != p.cluster.Name || p.cluster.Found != entries.Bootstrapped || f == nil {
		return nil
	}
	data, err := f.Data()
	if err != nil {
		return nil
	}
	out := controllers.Installation{From: file}
	if m := fluxVersionComment().FindSubmatch(data); m != nil {
		out.Controller.Version = controllers.HelmController(string(m[1]))
	}
	if parsed := p.index.Parse(file); parsed != nil {
		object.Each(parsed, func(_ *yamledit.Document, obj map[string]any) {
			if found, official := controllers.RunningIn(obj, p.configMaps(cluster, obj)); official && p.isController(obj, controllers.Helm) {
				out.Controller, out.Watched, out.Notes = found.Controller, found.Watched, append(out.Notes, found.Notes...)
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
func (p *pass) publishes(k *entries.Kustomization) bool {
	ref := sources.Ref(k.Object)
	source := p.nearest(p.cluster.Host(k), ref)
	if !controllers.Publishes(ref.Kind, source) {
		return false
	}
	if in := object.String(k.Object, "spec", "targetNamespace"); object.Namespace(k.Object) != p.fluxNamespace() || in != "" && in != p.fluxNamespace() {
		return true
	}
	patches, _ := object.At(k.Object, "spec", "patches").([]any)
	target := p.cluster.Target(k)
	p.published[target] = append(p.published[target], controllers.OfPublished(p.index.Builder, ref.Kind+" "+ref.Namespace+"/"+ref.Name, source, patches))
	return true
}
