package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
)

// Installation is the helm-controller of a cluster, as far as the tree shows it. Only
// Flux's own installation counts: whoever adds an app must not choose the controller that
// it is judged by.
type Installation struct {
	// Controller has no version if that is not known.
	Controller release.Controller
	// From names what installs it, or says why the version is not known; empty if the
	// tree does not install Flux.
	From string
	// Notes say what else claims to install it.
	Notes []string

	workers int     // of its kustomize-controller; zero if nothing says how many
	strict  *bool   // the gate of its kustomize-controller, see strictGate; nil if nothing sets it
	watched watched // the releases that it reconciles
	unknown string  // why the version is not known
	follows bool    // newer releases of Flux, as they come
	file    string  // that describes it
	stopped string  // why nothing installs it as it is written; empty if that is not so
	patches []any   // of it, which must all fit

	shards []Installation // that it installs beside it
}

// installationIn returns the installation of a cluster. The first that is found counts:
// what the entry describes or applies itself; a FluxInstance that is applied; a
// Kustomization that applies the whole of Flux; one that applies Flux's manifests from
// where they are published; what flux bootstrap has written beside its entry.
func installationIn(p *pass, cluster string) Installation {
	now := p.installed(cluster)
	if p.before == nil {
		return now
	}
	was := p.before.installed(cluster)
	why := now.stands(p.index.Builder, was)
	if why == "" {
		return now
	}
	was.Notes = append(was.Notes, why+": what the base of the change installs is used")
	return was
}

// reinstalls reports whether what a cluster has installed may be as it was before a change.
func (p *pass) reinstalls() bool {
	return slices.ContainsFunc(append(sortedKeys(p.objects), p.cluster.Name), func(cluster string) bool {
		return p.installed(cluster).stands(p.index.Builder, p.before.installed(cluster)) != ""
	})
}

// installed returns the installation of a cluster as it is written.
func (p *pass) installed(cluster string) Installation {
	out := Installation{Notes: slices.Clone(p.remarks[cluster])}
	found := slices.Concat(p.entryInstallations(cluster), p.deployed(cluster, true, &out), p.instances(cluster),
		p.deployed(cluster, false, &out), p.published[cluster], p.bootstrapFile(cluster))
	if len(found) == 0 {
		return out
	}
	first := found[0]
	first.Notes = append(first.Notes, out.Notes...)
	if first.Controller.Version == "" && first.unknown != "" {
		first.From = first.unknown
	}
	for _, other := range found[1:] {
		if !sameController(first.Controller, other.Controller) {
			first.Notes = append(first.Notes, fmt.Sprintf("%s installs %s, which is not used: %s is", other.From, described(other.Controller), found[0].From))
		}
	}
	return first
}

// Hidden reports whether something installs a helm-controller of a version that is not known. One that
// follows the releases of Flux is taken for the newest. One that is started with a gate is not older than
// that: it would not start.
// Source: SupportedFeatures of github.com/fluxcd/pkg/runtime/features.
func (i Installation) Hidden() bool {
	for name := range i.Controller.Gates {
		if i.Controller.With(release.KnownGates[name], nil).AtLeast(release.Since(release.FieldAdded, "install.strategy")) {
			return false
		}
	}
	return i.From != "" && i.Controller.Version == "" && !i.follows
}

// stands returns why an installation may be as it was before a change; "" if it is as it is written.
func (i Installation) stands(builder *build.Builder, was Installation) string {
	if i.stopped != "" || i.sameAs(was) {
		return i.stopped
	}
	for at, patch := range i.patches {
		known := slices.ContainsFunc(was.patches, func(other any) bool { return reflect.DeepEqual(patch, other) })
		if !known && !targets(builder, standIns(), patch) {
			return fmt.Sprintf("%s: whether its new patch %d fits is not known", i.From, at+1)
		}
	}
	return ""
}

// sameAs reports whether two controllers are the same to the same releases.
func (i Installation) sameAs(other Installation) bool {
	return sameController(i.Controller, other.Controller) && i.watched == other.watched && slices.EqualFunc(i.shards, other.shards, Installation.sameAs)
}

func sameController(a, b release.Controller) bool {
	return a.Version == b.Version && maps.Equal(a.Gates, b.Gates)
}

// described names a controller for people.
func described(c release.Controller) string {
	text := controllerName
	if c.Version != "" {
		text += " " + c.Version
	}
	for _, gate := range sortedKeys(c.Gates) {
		text += fmt.Sprintf(" %s=%v", gate, c.Gates[gate])
	}
	return text
}

// fluxNamespace returns the namespace that Flux is installed in.
func (l *lookup) fluxNamespace() string {
	if l.cluster.found == bootstrapped {
		return cmp.Or(object.Namespace(l.cluster.entries[0].Object), "flux-system")
	}
	return "flux-system"
}

// entryInstallations returns what the entry of a cluster describes: as it is applied, if
// it applies its own description.
func (p *pass) entryInstallations(cluster string) []Installation {
	if cluster != p.cluster.Name || p.cluster.installs == nil {
		return nil
	}
	own := *p.cluster.installs
	for _, applied := range p.instances(cluster) {
		if applied.file != "" && applied.file == own.file {
			return []Installation{applied}
		}
	}
	return []Installation{own}
}

// instances returns what the FluxInstances install that are applied to a cluster.
func (p *pass) instances(cluster string) []Installation {
	var out []Installation
	for _, a := range p.installers[cluster] {
		spec := instanceSpec(a.object)
		if spec == nil || !createsInstance(a.object, p.fluxNamespace()) {
			continue
		}
		name := fmt.Sprintf("%v %s", a.object["kind"], object.FullName(a.object))
		_, found := instanceOf(p.index.Builder, spec, syncObject("GitRepository", "flux-system", ""), name)
		found.file, _ = p.index.place(a.object)
		found.stopped = cmp.Or(idle(a.object), found.stopped)
		out = append(out, found)
	}
	return out
}

// deployed returns what the Deployments of helm-controller install that are applied to a
// cluster: by its entry, or by Kustomizations that apply the whole of Flux.
func (p *pass) deployed(cluster string, byEntry bool, skipped *Installation) []Installation {
	var out []Installation
	for _, a := range p.installers[cluster] {
		if !p.isController(a.object, controllerName) || p.leads(a.by) != byEntry || !byEntry && !p.appliesFlux(cluster, a.by) {
			continue
		}
		name := "Deployment " + object.FullName(a.object)
		found, official := runningIn(a.object, p.configMaps(cluster, a.object))
		if !official {
			skipped.Notes = append(skipped.Notes, fmt.Sprintf("%s has the image %s, which does not end in fluxcd/helm-controller and is not used", name, imageOf(a.object)))
			continue
		}
		found.From = name
		found.explain(a.object)
		out = append(out, found)
	}
	return out
}

// explain says why the version of a Deployment is not known.
func (i *Installation) explain(deployment map[string]any) {
	if i.Controller.Version == "" {
		i.unknown = i.From + " has an image without a version: " + imageOf(deployment)
	}
}

// configMaps returns the ConfigMaps beside a Deployment. One that the cluster may have with several
// contents is not known.
func (p *pass) configMaps(cluster string, deployment map[string]any) configMaps {
	return func(name string) map[string]any {
		found := p.known().present(cluster, "ConfigMap/"+object.Namespace(deployment)+"/"+name)
		if name == "" || len(found) != 1 {
			return nil
		}
		data, _ := object.At(found[0].object, "data").(map[string]any)
		return data
	}
}

func imageOf(deployment map[string]any) string {
	for _, container := range slices.Concat(officialContainers(deployment, controllerName), containersOf(deployment)) {
		if image := object.String(container, "image"); image != "" {
			return build.Unmark(image)
		}
	}
	return "none"
}

// isController reports whether an object is the Deployment of a controller of Flux.
func (p *pass) isController(obj map[string]any, name string) bool {
	return object.Is(obj, "Deployment") && object.Name(obj) == name && object.Namespace(obj) == p.fluxNamespace()
}

// leads reports whether a Kustomization is an entry of the cluster that it applies to.
func (p *pass) leads(k *Kustomization) bool { return k.Parent == nil || remoteOf(k.Object) != "" }

// appliesFlux reports whether a Kustomization applies not only helm-controller.
func (p *pass) appliesFlux(cluster string, k *Kustomization) bool {
	for _, name := range []string{sourceName, applierName} {
		if !slices.ContainsFunc(p.installers[cluster], func(a applied) bool {
			return a.by == k && p.isController(a.object, name) && len(officialContainers(a.object, name)) > 0
		}) {
			return false
		}
	}
	return true
}

var fluxVersionComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^# Flux [Vv]ersion: (v\S+)`) })

// bootstrapFile returns what flux bootstrap has written beside its entry, also if the
// entry cannot be built.
func (p *pass) bootstrapFile(cluster string) []Installation {
	file := path.Join(path.Dir(p.cluster.File), "gotk-components.yaml")
	f := p.index.Files.File(file)
	if cluster != p.cluster.Name || p.cluster.found != bootstrapped || f == nil {
		return nil
	}
	data, err := f.Data()
	if err != nil {
		return nil
	}
	out := Installation{From: file}
	if m := fluxVersionComment().FindSubmatch(data); m != nil {
		out.Controller.Version = helmController(string(m[1]))
	}
	if parsed := p.index.Parse(file); parsed != nil {
		object.Each(parsed, func(_ *yamledit.Document, obj map[string]any) {
			if found, official := runningIn(obj, p.configMaps(cluster, obj)); official && p.isController(obj, controllerName) {
				out.Controller, out.watched, out.Notes = found.Controller, found.watched, append(out.Notes, found.Notes...)
			}
		})
	}
	if out.Controller.Version == "" {
		return nil
	}
	return []Installation{out}
}

// agreed returns what two descriptions of one cluster's installation both say. Neither is
// better than the other, and one may be there to mislead.
func agreed(a, b Installation) Installation {
	if a.sameAs(b) {
		return a
	}
	out := Installation{From: a.From, Notes: append(a.Notes, fmt.Sprintf("%s installs %s and %s installs %s: only what both say is used",
		a.From, described(a.Controller), b.From, described(b.Controller)))}
	out.unknown = a.From + " and " + b.From + " contradict each other"
	if out.watched = a.watched; a.watched != b.watched || len(a.shards)+len(b.shards) > 0 {
		out.watched = watched{unknown: "watches what is not known"}
	}
	if a.Controller.Version == b.Controller.Version {
		out.Controller.Version = a.Controller.Version
	}
	for gate, on := range a.Controller.Gates {
		if other, ok := b.Controller.Gates[gate]; ok && on == other {
			if out.Controller.Gates == nil {
				out.Controller.Gates = release.Gates{}
			}
			out.Controller.Gates[gate] = on
		}
	}
	return out
}
