package library

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	kustypes "sigs.k8s.io/kustomize/api/types"
)

// cluster is a new cluster to which a tree is applied, as kustomize-controller does.
type cluster struct {
	client.Client // only Get is asked
	root          string
	objects       map[string]map[string]any // by Kind/namespace/name
	done          map[string]bool
	failed        map[string]error // by Kustomization
	// missing is whether a ConfigMap was asked for that is not there: whether it is there by
	// hand, a tree does not say.
	missing bool
	// skipped is whether Flux is told to skip a release or a Kustomization: a state before may
	// have applied it, and then it is still there.
	skipped bool
	// contested are the objects that several Kustomizations apply, each another one.
	contested map[string]bool
}

// applied returns what becomes of a tree in a folder.
func applied(root, entry string) (*cluster, error) {
	c := &cluster{root: root, objects: map[string]map[string]any{}, done: map[string]bool{}, failed: map[string]error{}, contested: map[string]bool{}}
	text, err := os.ReadFile(filepath.Join(root, entry, "flux-system/gotk-sync.yaml"))
	if err != nil {
		return nil, err
	}
	objects, err := documents(text)
	if err != nil {
		return nil, err
	}
	c.apply(objects)
	return c, nil
}

// Get returns a ConfigMap of the cluster.
func (c *cluster) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	object := c.objects["ConfigMap/"+key.String()]
	if object == nil {
		c.missing = true
		return apierrors.NewNotFound(schema.GroupResource{Resource: "configmaps"}, key.Name)
	}
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object, into.(*corev1.ConfigMap))
}

// apply keeps objects unless Flux is told to skip them, and then reconciles those that are
// Kustomizations.
func (c *cluster) apply(objects []map[string]any) {
	var children []unstructured.Unstructured
	for _, object := range objects {
		u := unstructured.Unstructured{Object: object}
		if skips(u) {
			c.skipped = c.skipped || u.GetKind() != "ConfigMap"
			continue
		}
		key := u.GetKind() + "/" + u.GetNamespace() + "/" + u.GetName()
		if former := c.objects[key]; former != nil && !equal(former, object) {
			c.contested[key] = true
		}
		c.objects[key] = object
		if u.GroupVersionKind().Group == "kustomize.toolkit.fluxcd.io" {
			children = append(children, u)
		}
	}
	for _, u := range children {
		key := u.GetNamespace() + "/" + u.GetName()
		if suspended, _, _ := unstructured.NestedBool(u.Object, "spec", "suspend"); suspended || c.done[key] {
			c.skipped = c.skipped || suspended
			continue
		}
		c.done[key] = true
		if err := c.reconcile(u); err != nil {
			c.failed[key] = err
		}
	}
}

// skips reports whether kustomize-controller leaves an object alone.
// Source: kustomize-controller, internal/controller/kustomization_controller.go, apply, and
// github.com/fluxcd/pkg/ssa, shouldSkipApply.
func skips(u unstructured.Unstructured) bool {
	const group = "kustomize.toolkit.fluxcd.io/"
	for _, in := range []map[string]string{u.GetLabels(), u.GetAnnotations()} {
		if in[group+"reconcile"] == "disabled" || in[group+"ssa"] == "Ignore" {
			return true
		}
	}
	return false
}

// reconcile builds a Kustomization and applies its objects.
func (c *cluster) reconcile(ks unstructured.Unstructured) error {
	path, _, _ := unstructured.NestedString(ks.Object, "spec", "path")
	dir := filepath.Join(c.root, path)
	built, err := build(c.root, dir, ks)
	if err != nil {
		return err
	}
	var objects []map[string]any
	for _, res := range built.Resources() {
		if _, ok, _ := unstructured.NestedMap(ks.Object, "spec", "postBuild"); ok {
			out, err := fluxkustomize.SubstituteVariables(context.Background(), c, ks, res)
			if err != nil {
				return fmt.Errorf("post build failed for '%s': %w", res.GetName(), err)
			}
			if out != nil {
				if _, err := built.Replace(out); err != nil {
					return err
				}
			}
		}
	}
	text, err := built.AsYaml()
	if err != nil {
		return err
	}
	if objects, err = documents(text); err != nil {
		return err
	}
	for _, object := range objects {
		addCommon(object, ks)
	}
	c.apply(objects)
	return nil
}

func build(root, dir string, ks unstructured.Unstructured) (resmap.ResMap, error) {
	action, err := fluxkustomize.NewGenerator(root, ks).WriteFile(dir, fluxkustomize.WithSaveOriginalKustomization())
	if err != nil {
		return nil, errors.Join(err, fluxkustomize.CleanDirectory(dir, action))
	}
	built, err := secureBuild(root, dir)
	if cleaned := fluxkustomize.CleanDirectory(dir, action); cleaned != nil {
		return nil, cleaned
	}
	return built, err
}

// secureBuild is fluxkustomize.SecureBuild, which parses kustomize's schema before each build, and
// that is most of its work. Here it is done only where a file may change the schema.
func secureBuild(root, dir string) (built resmap.ResMap, err error) {
	own := false
	if err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		own = own || filepath.Ext(name) == ".json"
		return err
	}); err != nil {
		return nil, err
	}
	if own {
		return fluxkustomize.SecureBuild(root, dir, true)
	}
	files, err := securefs.MakeFsOnDiskSecureBuild(root)
	if err != nil {
		return nil, err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("recovered from kustomize build panic: %v", p)
		}
	}()
	return krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: kustypes.LoadRestrictionsNone, PluginConfig: kustypes.DisabledPluginConfig(),
	}).Run(files, dir)
}

// addCommon adds spec.commonMetadata. Source: github.com/fluxcd/pkg/ssa, SetCommonMetadata.
func addCommon(object map[string]any, ks unstructured.Unstructured) {
	u := unstructured.Unstructured{Object: object}
	for field, of := range map[string]struct {
		get func() map[string]string
		set func(map[string]string)
	}{"labels": {u.GetLabels, u.SetLabels}, "annotations": {u.GetAnnotations, u.SetAnnotations}} {
		added, _, _ := unstructured.NestedStringMap(ks.Object, "spec", "commonMetadata", field)
		if len(added) == 0 {
			continue
		}
		all := maps.Clone(of.get())
		if all == nil {
			all = map[string]string{}
		}
		maps.Copy(all, added)
		of.set(all)
	}
}

// releases returns the HelmReleases of the cluster, by namespace/name.
func (c *cluster) releases() map[string]map[string]any {
	out := map[string]map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(c.objects)) {
		if name, ok := cutPrefix(key, "HelmRelease/"); ok {
			out[name] = c.objects[key]
		}
	}
	return out
}
