package effective

import (
	"context"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/manifests"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Load returns every HelmRelease of the inputs, once for each cluster that would
// apply it. It fails only when ctx is done.
func Load(ctx context.Context, opts Options) (*Tree, error) {
	if opts.Builder == nil {
		opts.Builder = build.NewBuilder()
	}
	out := &Tree{Accepting: map[int]map[string]bool{}, opts: opts}
	for _, in := range opts.Inputs {
		found, err := resolve(ctx, in, opts)
		if err != nil {
			return nil, err
		}
		l := &loader{opts: opts, in: in, fleet: found, tree: out}
		l.load()
	}
	for _, files := range opts.sources() {
		out.unreadable(files)
	}
	out.readComments()
	out.AsWritten = out.folders > 0 && out.entered == 0
	out.sort()
	return out, nil
}

func resolve(ctx context.Context, in Input, opts Options) (*fleet.Fleet, error) {
	if in.AsWritten {
		return fleet.AsWritten(in.Files, opts.Builder), nil
	}
	if in.index == nil || in.index.Files != in.Files || in.index.Builder != opts.Builder {
		in.index = manifests.NewIndex(in.Files, opts.Builder)
	}
	return fleet.Resolve(ctx, in.index, fleet.Options{
		Base:    opts.Base.clusterOf(),
		Sources: opts.Sources, Below: in.Below, Unapplied: opts.Unapplied, Declared: opts.declared(in), Progress: opts.Progress, Asked: opts.asked(in),
		Controller: func(cluster string, installed release.Controller) release.Controller {
			return opts.Config.ControllerAt(rules.Place{Cluster: cluster}, installed)
		},
	})
}

// load adds what is found in one input.
func (l *loader) load() {
	before := len(l.tree.Releases)
	survey := l.fleet.Survey
	l.secrets, l.copied = l.fleet.Secrets(), l.fleet.Copied()
	l.estates.Secrets = l.secrets
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
	leftOver := func(c *fleet.Resolved) bool { return leaveOut && c.LeftOver }
	if slices.ContainsFunc(l.fleet.Clusters, leftOver) {
		l.elsewhere = map[document]bool{}
	}
	for _, c := range l.fleet.Clusters {
		if !c.Skimmed && !leftOver(c) {
			l.cluster(c)
		}
	}
	for _, c := range l.fleet.Clusters {
		if !c.Skimmed && leftOver(c) {
			l.leftover(c)
		}
	}
	l.tree.clusters = append(l.tree.clusters, l.fleet.Clusters...)
	for _, w := range l.fleet.Unapplied {
		switch {
		case leaveOut:
			u := w.Undetermined(noCluster)
			if u.Release != "" && object.IsHelmRelease(w.Object) && !object.HasChart(w.Object) && !l.accepts(u) {
				u.Release, u.Reason, u.Advice = "", object.Called(w.Object)+" has no chart, as a patch has none, and no kustomization.yaml takes it", "name it there, or remove the file"
			}
			u.Content = l.compared(hashOf(l.whole(w)))
			l.unapplied(u, w.Doc.File.Name)
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
	l.standstills(l.tree.Releases[before:])
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
