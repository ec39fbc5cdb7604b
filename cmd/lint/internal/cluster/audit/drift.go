package audit

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// driftOf compares the spec of a release with what Git says. A default of the API that Git
// does not write is no drift: nobody has set it.
func driftOf(written *effective.Release, of map[string]any) []overview.Drift {
	d := differ{written: written, owners: ownersOf(of)}
	git, _ := normal(written.Object["spec"]).(map[string]any)
	cluster, _ := normal(of["spec"]).(map[string]any)
	d.object(release.Path{"spec"}, git, cluster)
	for _, o := range d.owners {
		if _, ok := written.Value(o.path); ok && !isValue(o.path) || d.known(o.path) || unknown(written, o.path) {
			continue
		}
		if isValue(o.path) {
			d.add(o.path, nil, nil)
		} else if value, ok := object.Follow(cluster, o.path[1:]); ok && value != nil {
			d.add(o.path, nil, value)
		}
	}
	slices.SortStableFunc(d.found, func(a, b overview.Drift) int { return cmp.Compare(a.Path, b.Path) })
	return d.found
}

type differ struct {
	written *effective.Release
	owners  []owner
	found   []overview.Drift
}

// isValue reports whether a path is among the values of the chart.
func isValue(path release.Path) bool { return len(path) > 1 && path[1] == "values" }

// object compares what Git writes of an object; what else the cluster has is left.
func (d *differ) object(at release.Path, git, cluster map[string]any) {
	for key, want := range git {
		path := append(at[:len(at):len(at)], key)
		if want == nil || isValue(path) || unknown(d.written, path) && !isObject(want) {
			continue
		}
		d.value(path, want, cluster[key])
	}
}

func (d *differ) value(at release.Path, want, have any) {
	if git, ok := want.(map[string]any); ok {
		if cluster, ok := have.(map[string]any); ok || len(git) > 0 && have == nil {
			d.object(at, git, cluster)
			return
		}
	}
	if git, ok := want.([]any); ok {
		if cluster, ok := have.([]any); ok && len(git) == len(cluster) {
			for i := range git {
				d.value(append(at[:len(at):len(at)], i), git[i], cluster[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(want, have) && !unknown(d.written, at) && !empty(want, have) {
		d.add(at, want, have)
	}
}

// empty reports whether there is nothing in both.
func empty(want, have any) bool {
	return have == nil && isObject(want) && reflect.ValueOf(want).Len() == 0
}

func isObject(v any) bool {
	_, ok := v.(map[string]any)
	return ok
}

// unknown reports whether Git does not say what is in a field.
func unknown(written *effective.Release, at release.Path) bool {
	return slices.ContainsFunc(written.Unknown, func(u release.Unknown) bool { return u.Path.Within(at) || at.Within(u.Path) })
}

func (d *differ) known(path release.Path) bool {
	return slices.ContainsFunc(d.found, func(f overview.Drift) bool { return f.Path == path.String() })
}

// add notes a field, and who has set it.
func (d *differ) add(at release.Path, want, have any) {
	f := overview.Drift{Path: at.String(), Git: d.shown(want), Cluster: d.shown(have)}
	for _, o := range d.owners {
		if covers(o.path, at) {
			if !slices.Contains(f.By, o.manager) {
				f.By = append(f.By, o.manager)
			}
			f.At = max(f.At, o.at)
		}
	}
	if want != nil {
		place := d.written.Locate(at)
		f.File, f.Line = place.File, place.Line
	}
	d.found = append(d.found, f)
}

// shown is a value for people, without what is secret.
func (d *differ) shown(v any) string {
	if v == nil {
		return ""
	}
	text, err := json.Marshal(d.written.MaskValue(v))
	if err != nil {
		return ""
	}
	return d.written.Mask(strings.Trim(string(text), `"`))
}

// covers reports whether who sets a field also sets another one: itself, or what is in it.
func covers(set, at release.Path) bool {
	n := min(len(set), len(at))
	return slices.EqualFunc(set[:n], at[:n], func(a, b any) bool { return fmt.Sprint(a) == fmt.Sprint(b) })
}

// normal returns a value as JSON has it.
func normal(v any) any {
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	var out any
	if json.Unmarshal(text, &out) != nil {
		return nil
	}
	return out
}

// owner is who set a field, as the API server notes it.
type owner struct {
	path    release.Path
	manager string
	at      string
}

// applierManagers are the managers by which Flux applies what Git says.
var applierManagers = []string{"kustomize-controller", "helm-controller", "flux-operator"}

// ownersOf returns who set fields of the spec, besides what applies it.
func ownersOf(of map[string]any) []owner {
	entries, _ := object.At(of, "metadata", "managedFields").([]any)
	var all []owner
	for _, e := range entries {
		manager := object.String(e, "manager")
		spec, ok := object.At(e, "fieldsV1", "f:spec").(map[string]any)
		if !ok || object.At(e, "subresource") != nil || slices.Contains(applierManagers, manager) {
			continue
		}
		for _, path := range leaves(release.Path{"spec"}, spec) {
			all = append(all, owner{path, manager, object.String(e, "time")})
		}
	}
	slices.SortStableFunc(all, func(a, b owner) int { return cmp.Compare(a.path.String(), b.path.String()) })
	return all
}

// leaves returns the fields that a set of managed fields names. Of a list it names the
// list: its items have keys that are no paths.
func leaves(at release.Path, fields map[string]any) []release.Path {
	var all []release.Path
	for key, inner := range fields {
		name, ok := strings.CutPrefix(key, "f:")
		if !ok {
			continue
		}
		path := append(at[:len(at):len(at)], name)
		below, _ := inner.(map[string]any)
		found := leaves(path, below)
		if len(found) == 0 {
			found = []release.Path{path}
		}
		all = append(all, found...)
	}
	return all
}
