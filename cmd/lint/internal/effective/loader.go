package effective

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/controllers"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// loader turns the fleet of one input into releases.
type loader struct {
	opts  Options
	in    Input
	fleet *fleet.Fleet
	tree  *Tree

	secrets variables.Secrets // of all clusters
	copied  variables.Secrets // of all clusters, without variables
	estates estates
}

func (l *loader) load() {
	before := len(l.tree.Releases)
	survey := l.fleet.Survey
	l.secrets, l.copied = l.fleet.Secrets(), l.fleet.Copied()
	l.entries()
	l.tree.Files += survey.Files
	l.tree.Documents += survey.Documents
	l.tree.Partial += survey.Partial
	l.tree.Problems = append(l.tree.Problems, survey.Problems...)
	l.tree.unreadable(l.in.Files)
	for _, u := range slices.Concat(survey.Undetermined, l.fleet.Undetermined) {
		if rel, _ := l.relative(u.File); l.inBelow(rel) {
			l.undetermined(u)
		}
	}
	leaveOut := l.fleet.Entered && !l.opts.Unapplied
	for _, c := range l.fleet.Clusters {
		if c.Skimmed {
			continue
		}
		if leaveOut && c.LeftOver {
			l.leftover(c)
			continue
		}
		l.cluster(c)
	}
	l.tree.clusters = append(l.tree.clusters, l.fleet.Clusters...)
	for _, w := range l.fleet.Unapplied {
		switch {
		case leaveOut:
			l.unapplied(w.Undetermined(noCluster), w.Doc.File.Name)
		case object.IsResourceSet(w.Object):
			l.undetermined(w.Undetermined("nothing in the tree applies it, so what it renders is not known"))
		case object.Mistaken(w.Object) != "":
			l.undetermined(w.Undetermined(object.Mistaken(w.Object)))
		case !object.IsHelmRelease(w.Object):
			l.undetermined(w.Undetermined("its kind depends on a variable or is encrypted, and nothing in the tree applies it, so what it is is not known"))
		default:
			l.written(w)
		}
	}
	l.alerting(l.tree.Releases[before:])
	l.above(l.tree.Releases[before:])
	l.needs(l.tree.Releases[before:])
}

// entries counts the folders with and without the entry of a cluster.
func (l *loader) entries() {
	if !l.in.AsWritten {
		l.tree.folders++
	}
	if l.fleet.Entered {
		l.tree.entered++
	}
}

// cluster adds the releases that a cluster would run.
func (l *loader) cluster(c *fleet.Resolved) {
	whole := l.inBelow(c.Dir)
	for _, u := range c.Failed {
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

// applied adds a release that a cluster applies.
func (l *loader) applied(c *fleet.Resolved, applied fleet.Applied, whole bool, installed controllers.Installation, doubt string) {
	r := &Release{origins: origins{table: l.opts.Builder.Table, shadow: trace.Of(applied.Object), fleet: l.fleet, cluster: c}}
	r.chain = applied.By.Chain()
	for _, k := range r.chain {
		if !k.Folder {
			r.AppliedBy = append(r.AppliedBy, Writer{What: "Kustomization " + k.FullName(), File: k.File, Line: k.Line})
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

// relative returns the path of a file as seen from the root, and reports whether
// it is below. However the content of a source was named, the folders above both
// are left out: their names say nothing of a release.
func (l *loader) relative(file string) (rel string, inside bool) {
	if rel, ok := l.in.Files.Path(file); ok {
		return rel, true
	}
	root, err1 := filepath.Abs(l.in.Files.Root())
	abs, err2 := filepath.Abs(file)
	if rel, err := filepath.Rel(root, abs); errors.Join(err1, err2, err) == nil && file != "" {
		return filepath.ToSlash(rel), false
	}
	return file, false
}

// inBelow reports whether a path is in the folder Input.Below.
func (l *loader) inBelow(rel string) bool {
	return l.in.Below == "" || rel == l.in.Below || strings.HasPrefix(rel, l.in.Below+"/")
}

// own sets the document that a release is written in.
func (l *loader) own(r *Release, applied fleet.Applied) {
	if own, ok := r.table.Document(applied.Object); ok {
		r.own = own
	} else if own, ok := r.table.Document(applied.Template); ok {
		own.Path = []any{"spec", "resourcesTemplate"}
		r.own = own
	} else {
		r.own = l.guess(applied)
	}
	own := r.own
	if own.Doc == nil {
		r.File, r.Line = applied.By.File, applied.By.Line
		return
	}
	r.File, r.Line = own.Doc.File.Name, own.Doc.Line
	if len(own.Path) > 0 {
		pos, _ := own.Doc.Find(own.Path...)
		r.Line = pos.Line
	}
}

// guess returns the document of a release without a shadow: the first in the files of the
// build whose name is part of the release's. It is zero if there is none.
func (l *loader) guess(applied fleet.Applied) trace.Origin {
	for _, file := range applied.By.Files() {
		f := applied.By.Source.Files().File(file)
		for _, w := range l.fleet.Survey.Releases[f.Origin()] {
			own := w.Doc.File.Name == f.Name() // and not of that path in another tree
			if own && strings.Contains(object.Name(applied.Object), object.Name(w.Object)) {
				return trace.Origin{Doc: w.Doc, Writer: &trace.Writer{}}
			}
		}
	}
	return trace.Origin{}
}

// written adds a HelmRelease that nothing applies, as it is written. Variables in it are
// unknown.
func (l *loader) written(w manifests.Written) {
	r := &Release{origins: origins{
		File: w.Doc.File.Name, Line: w.Doc.Line, table: l.opts.Builder.Table, own: trace.Origin{Doc: w.Doc, Writer: &trace.Writer{}}, fleet: l.fleet,
	}}
	r.rel = w.Path
	obj := w.Object
	if !l.opts.Lean {
		obj, _ = w.Doc.Object() // it has been read
	}
	place := rules.Place{Path: l.opts.ConfigPath(w.Doc.File.Name, w.Path), Namespace: object.Namespace(obj)}
	e := release.Evidence{Object: obj, Folders: []release.Folder{{Path: path.Dir(w.Path), Entries: l.in.Files.Entries}}}
	l.add(r, obj, unknownFields(obj, nil, true), place, e, l.fleet.ByHand())
}

// add decodes an object and adds it as a release, with its controller and tier.
func (l *loader) add(r *Release, obj map[string]any, unknown []release.Unknown, at rules.Place, e release.Evidence, installed controllers.Installation) {
	if !l.opts.wants(at.Cluster) {
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

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
