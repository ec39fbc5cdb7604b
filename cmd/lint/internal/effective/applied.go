package effective

import (
	"fmt"
	"path"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// cluster adds the releases that a cluster would run.
func (l *loader) cluster(c *fleet.Resolved) {
	whole := l.inBelow(c.Dir)
	perhapsNone := mayBeNone(c)
	for _, u := range c.Failed {
		if perhapsNone {
			u.Advice = l.ignoring(u.File)
		}
		if rel, ok := l.in.Files.Path(u.File); whole || ok && l.inBelow(rel) {
			l.undetermined(u)
		}
	}
	installations := map[string][]controllers.Installation{}
	twice := appliedTwice{}
	for _, applied := range c.Releases {
		target := c.Target(applied.By)
		first, again := twice.add(target, applied)
		if again {
			continue
		}
		if first != nil {
			l.contradicts(c, *first, applied)
		}
		if _, known := installations[target]; !known {
			installations[target] = c.Installations(target)
		}
		watching, doubt := controllers.Watching(installations[target], applied.Object)
		for _, installed := range watching {
			l.applied(c, applied, whole, installed, doubt)
		}
	}
}

// mayBeNone reports whether a cluster is perhaps none, as a folder of old files: nothing in the tree applies its
// Kustomizations, and the path of each is missing. Only the user can say.
func mayBeNone(c *fleet.Resolved) bool {
	return !c.Named(c.Dir) && len(c.Releases) == 0 && !slices.ContainsFunc(c.Failed, func(u release.Undetermined) bool { return !u.NoPath })
}

// ignoring says how to leave out what is beside a file, or the file alone at the root. It names neither, so that
// reports join what has the same advice.
func (l *loader) ignoring(file string) string {
	rel, _ := l.relative(file)
	where := "the folder of this file"
	if path.Dir(l.opts.ConfigPath(file, rel)) == "." {
		where = "this file"
	}
	return fmt.Sprintf("if this Kustomization is of no cluster, list %s under spec.ignore of the configuration", where)
}

// applied adds a release that a cluster applies.
func (l *loader) applied(c *fleet.Resolved, applied fleet.Applied, whole bool, installed controllers.Installation, doubt string) {
	r := &Release{origins: origins{table: l.opts.Builder.Table, shadow: trace.Of(applied.Object), fleet: l.fleet, cluster: c}}
	r.chain = applied.By.Chain()
	for _, k := range r.chain {
		r.by = append(r.by, l.secrets.Mask(k.FullName()))
		if !k.Folder {
			r.AppliedBy = append(r.AppliedBy, Writer{What: k.Called(), File: k.File, Line: k.Line})
		}
	}
	l.own(r, applied)
	rel, inside := l.relative(r.File)
	if !whole && !(inside && l.inBelow(rel)) && !l.concerns(r) || l.opts.Config.Ignores(l.opts.ConfigPath(r.File, rel)) {
		return
	}
	obj := trace.Without(applied.Object)
	unknown := unknownFields(obj, applied.Reasons, c.Unapplied())
	obj, _ = variables.UnmarkAll(obj).(map[string]any)
	place := rules.Place{Path: l.opts.ConfigPath(r.File, rel), Namespace: object.Namespace(obj), Cluster: c.Target(applied.By)}
	r.Entries, r.rel = entriesOf(c, applied.By), rel
	l.add(r, obj, unknown, place, l.evidence(c, applied, obj, rel), installed)
	if l.elsewhere != nil {
		l.elsewhere[document{r.File, r.Line, hashOf(obj)}] = true
	}
	if doubt != "" {
		var tier release.Tier
		if r.Release != nil {
			tier = r.Tier
		}
		l.undetermined(release.Undetermined{
			File: r.File, Line: r.Line, Release: object.FullName(obj), Cluster: place.Cluster, Tier: tier, Reason: l.secrets.Mask(doubt),
		})
	}
}

// written adds a HelmRelease that nothing applies, as it is written. Variables in it are
// unknown.
func (l *loader) written(w manifests.Written) {
	r := &Release{origins: origins{
		File: w.Doc.File.Name, Line: w.Doc.Line, table: l.opts.Builder.Table, own: trace.Origin{Doc: w.Doc, Writer: &trace.Writer{}}, fleet: l.fleet,
	}}
	r.rel = w.Path
	obj := l.whole(w)
	place := rules.Place{Path: l.opts.ConfigPath(w.Doc.File.Name, w.Path), Namespace: object.Namespace(obj)}
	e := release.Evidence{Object: obj, Folders: []release.Folder{{Path: path.Dir(w.Path), Entries: l.in.Files.Entries}}}
	l.add(r, obj, unknownFields(obj, nil, true), place, e, l.fleet.ByHand())
}

// whole returns an object with its values, if somebody asks for them.
func (l *loader) whole(w manifests.Written) map[string]any {
	if l.opts.Lean {
		return w.Object
	}
	obj, _ := w.Doc.Object() // it has been read
	return obj
}

// add decodes an object and adds it as a release, with its controller and tier.
func (l *loader) add(r *Release, obj map[string]any, unknown []release.Unknown, at rules.Place, e release.Evidence, installed controllers.Installation) {
	if !l.opts.Wants(at.Cluster) {
		return
	}
	for i := range unknown {
		unknown[i].Reason = l.secrets.Mask(unknown[i].Reason)
	}
	installed.Controller.Hidden = installed.Hidden()
	decoded, err := release.DecodeUnknown(obj, unknown, l.opts.Config.ControllerAt(at, installed.Controller))
	if err != nil {
		l.undetermined(release.Undetermined{
			File: r.File, Line: r.Line, Release: object.FullName(obj), Cluster: at.Cluster,
			Reason: fmt.Sprintf("its API version %v is misspelt, or newer than this program", obj["apiVersion"]),
		})
		return
	}
	decoded.Cluster = at.Cluster
	r.ControllerFrom, r.ControllerNotes = l.secrets.Mask(installed.Origin()), l.secrets.MaskAll(installed.Notes)
	if !decoded.Controller.Assumed && decoded.Controller.Version != installed.Controller.Version {
		r.ControllerFrom = "configuration"
	}
	r.Release = decoded
	r.findSecrets(l.copied)
	for _, o := range overridesOf(r) {
		decoded.Overridden = append(decoded.Overridden, o.Override)
	}
	l.uninstalled(r, at.Cluster)
	r.file, r.at, r.evidence, r.found, r.estates = r.File, at, e, installed.Controller, &l.estates
	class := release.TierOf(l.opts.Config.Evidence(e, at))
	r.Tier, r.TierFrom, r.TierIgnored = class.Tier, class.From, class.Ignored
	l.tree.Releases = append(l.tree.Releases, r)
}
