package flux

import (
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// rendersFrom are the fields of spec that decide what the chart renders.
var rendersFrom = []any{"chart", "chartRef", "values", "valuesFrom", "postRenderers", "commonMetadata", "releaseName", "targetNamespace"}

// uninstalled finds what an uninstall of a release deletes, if charts are given.
func (l *loader) uninstalled(r *Release, cluster string) {
	if l.opts.Charts == nil || r.Settings == nil {
		return
	}
	target := r.Settings.Target
	q := charts.Query{Object: r.Object, Cluster: cluster, Name: target.Name, Namespace: target.Namespace}
	for _, u := range r.Unknown {
		if len(u.Path) < 2 || u.Path[0] == "spec" && slices.Contains(rendersFrom, u.Path[1]) {
			q.Unknown = fmt.Sprintf("what its chart renders is not known: %s", u.Reason)
		}
	}
	found := r.origins.cluster
	q.Content = func(kind, namespace, name string) (fs.FS, error) {
		if found == nil {
			return nil, errors.New("nothing in the tree applies the release")
		}
		return found.Content(cluster, kind, namespace, name)
	}
	q.Find = func(kind, namespace, name string) map[string]any {
		if found == nil {
			return nil
		}
		return found.Object(cluster, kind+"/"+namespace+"/"+name)
	}
	secrets := slices.Clone(l.secrets)
	q.Secret = func(text string) { secrets = append(secrets, transformed(text)...) }
	rendered, doubt := l.opts.Charts.Release(q)
	secrets = secrets.Forms()
	r.LossUnknown = secrets.Mask(doubt)
	if rendered == nil {
		return
	}
	r.contents = &contents{*rendered, secrets}
	r.Loss = r.Uninstalled(*rendered)
	r.contents.mask(r.Loss)
}

// contents are what the chart of a release renders.
type contents struct {
	loss.Release
	secrets build.Secrets // that its values and variables hold
}

// mask replaces in a loss what Secrets supply.
func (c *contents) mask(l *loss.Loss) {
	l.Each(func(f *loss.Fate) {
		for _, text := range []*string{&f.Group, &f.Kind, &f.Namespace, &f.Name, &f.Size, &f.Note} {
			*text = c.secrets.Mask(*text)
		}
	})
}

// transformed returns a text with the forms that templates often write it in.
func transformed(text string) []string {
	return []string{text, strings.ToLower(text), strings.ToUpper(text), base64.StdEncoding.EncodeToString([]byte(text))}
}

// Dropped notes for each release what holds data in the chart that it has in another tree, and is
// not in the one that it has here. It reports whether there is anything.
func (t *Tree) Dropped(base *Tree) bool {
	any := false
	for _, r := range t.Releases {
		before := base.Same(r)
		if r.Loss == nil || before == nil || before.contents == nil || reflect.DeepEqual(before.contents.Release, r.contents.Release) {
			continue
		}
		if before.Settings.Target == r.Settings.Target {
			r.Loss.Dropped = loss.Dropped(before.contents.Release, r.contents.Release)
			before.contents.mask(r.Loss)
			any = any || len(r.Loss.Dropped) > 0
		}
	}
	return any
}

// Same returns the release of the same name on the same cluster; nil if there is none.
func (t *Tree) Same(as *Release) *Release {
	for _, r := range t.Releases {
		if r.Cluster == as.Cluster && r.Namespace == as.Namespace && r.Name == as.Name {
			return r
		}
	}
	return nil
}
