package effective

import (
	"maps"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// As returns the release as another policy has it: in a tier and under a controller. Its
// annotations that begin with the prefix are replaced by the given ones.
func (r *Release) As(tier release.Tier, controller release.Controller, prefix string, annotations map[string]any) *Release {
	as, decoded := *r, *r.Release
	as.located = nil
	obj := withAnnotations(r.Object, prefix, annotations)
	if again, err := r.decode(obj, controller, nil); err == nil {
		decoded.Settings, decoded.GateFlipped, decoded.Controller = again.Settings, again.GateFlipped, again.Controller
		decoded.Unfamiliar, decoded.Unknown = again.Unfamiliar, again.Unknown
	}
	decoded.Object, decoded.Tier = obj, tier
	as.Release = &decoded
	return &as
}

// Edited returns the release as if its object was edited, wherever that is written. Edits of other objects
// leave it as it is.
func (r *Release) Edited(set []rules.Edit) *Release {
	as, decoded := *r, *r.Release
	as.located = nil
	obj := r.Object
	for _, edit := range set {
		if edit.Object == "" {
			obj = object.With(obj, edit.Path, edit.Value)
		}
	}
	if again, err := r.decode(obj, r.Controller, set); err == nil {
		decoded.Settings, decoded.GateFlipped = again.Settings, again.GateFlipped
		decoded.Unfamiliar, decoded.Unknown = again.Unfamiliar, again.Unknown
	}
	decoded.Object = obj
	as.Release = &decoded
	return &as
}

// decode decodes what has become of the object. What was not known of it is not known now either, but where it was edited.
func (r *Release) decode(obj map[string]any, controller release.Controller, set []rules.Edit) (*release.Release, error) {
	unknown := slices.DeleteFunc(slices.Clone(r.Unknown), func(u release.Unknown) bool {
		edited := func(e rules.Edit) bool { return e.Object == "" && u.Path.Within(e.Path) }
		return u.Written || slices.ContainsFunc(set, edited) // what is written is looked at again
	})
	return release.DecodeUnknown(obj, unknown, controller)
}

// Annotations returns the annotations whose keys begin with a prefix.
func (r *Release) Annotations(prefix string) map[string]any {
	return annotations(r.Object, func(key string) bool { return strings.HasPrefix(key, prefix) })
}

func annotations(obj map[string]any, wanted func(key string) bool) map[string]any {
	all, _ := object.At(obj, "metadata", "annotations").(map[string]any)
	out := map[string]any{}
	for key, value := range all {
		if wanted(key) {
			out[key] = value
		}
	}
	return out
}

func withAnnotations(obj map[string]any, prefix string, add map[string]any) map[string]any {
	kept := annotations(obj, func(key string) bool { return !strings.HasPrefix(key, prefix) })
	maps.Copy(kept, add)
	meta, _ := obj["metadata"].(map[string]any)
	meta = maps.Clone(meta)
	if meta == nil {
		meta = map[string]any{}
	}
	meta["annotations"] = kept
	obj = maps.Clone(obj)
	obj["metadata"] = meta
	return obj
}

// Place returns where the release is for a configuration whose paths are relative to a
// folder.
func (s *surroundings) Place(configDir string) rules.Place {
	at := s.at
	at.Path = (&Options{ConfigDir: configDir}).ConfigPath(s.file, s.rel)
	return at
}

// TierBy returns the tier that a configuration sets for the release.
func (s *surroundings) TierBy(config *rules.Config, configDir string) release.Tier {
	return release.TierOf(config.Evidence(s.evidence, s.Place(configDir))).Tier
}

// TierUnmarked returns the tier that a configuration sets for the release without its own
// marks, in a namespace whose object is another one, or none. It reports whether the
// configuration or that object decides, and not a name.
func (s *surroundings) TierUnmarked(config *rules.Config, configDir string, namespace map[string]any) (tier release.Tier, decided bool) {
	at, e := s.Place(configDir), s.evidence
	e.Object = map[string]any{"metadata": map[string]any{"namespace": object.Namespace(e.Object), "name": object.Name(e.Object)}}
	e.Namespace = nil
	plain := release.TierOf(config.Evidence(e, at)).Tier
	if _, configured := config.TierOf(at); configured {
		return plain, true
	}
	e.Namespace = namespace
	tier = release.TierOf(config.Evidence(e, at)).Tier
	return tier, tier != plain
}

// ControllerBy returns the controller that a configuration sets for the release, over the
// one that a tree shows.
func (s *surroundings) ControllerBy(config *rules.Config, configDir string, shown release.Controller) release.Controller {
	return config.ControllerAt(s.Place(configDir), shown)
}

// ControllerFound returns the controller that the tree shows.
func (s *surroundings) ControllerFound() release.Controller { return s.found }

// resolved returns the cluster that applies to a cluster by its name; nil if none does.
func (t *Tree) resolved(cluster string) *fleet.Resolved {
	for _, r := range t.Releases {
		if r.Cluster == cluster && r.cluster != nil {
			return r.cluster
		}
	}
	if i := slices.IndexFunc(t.clusters, func(c *fleet.Resolved) bool { return c.Name == cluster }); i >= 0 && cluster != "" {
		return t.clusters[i]
	}
	return nil
}

// Controller returns the helm-controller that the tree shows for a cluster, and reports
// whether it has the cluster.
func (t *Tree) Controller(cluster string) (release.Controller, bool) {
	c := t.resolved(cluster)
	if c == nil {
		return release.Controller{}, false
	}
	return c.Installation(cluster).Controller, true
}

// Namespace returns the object of a namespace of a cluster; nil if there is none.
func (t *Tree) Namespace(cluster, name string) map[string]any {
	if c := t.resolved(cluster); c != nil {
		return c.Object(cluster, "Namespace/"+name)
	}
	return nil
}
