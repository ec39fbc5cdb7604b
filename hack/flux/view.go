package flux

import (
	"context"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// The resources of Flux that tests watch.
var (
	HelmReleases      = schema.GroupVersionResource{Group: "helm.toolkit.fluxcd.io", Version: "v2", Resource: "helmreleases"}
	Kustomizations    = schema.GroupVersionResource{Group: "kustomize.toolkit.fluxcd.io", Version: "v1", Resource: "kustomizations"}
	GitRepositories   = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "gitrepositories"}
	OCIRepositories   = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "ocirepositories"}
	Buckets           = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "buckets"}
	ExternalArtifacts = schema.GroupVersionResource{Group: "source.toolkit.fluxcd.io", Version: "v1", Resource: "externalartifacts"}
	Namespaces        = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	Secrets           = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
)

// View is what a cluster holds of some resources, kept up to date by watches.
type View struct {
	stores  map[schema.GroupVersionResource]cache.Store
	changed chan struct{} // holds a value after a change
}

// View watches resources until the test ends.
func (c *Cluster) View(t testing.TB, resources ...schema.GroupVersionResource) *View {
	t.Helper()
	v := &View{stores: map[schema.GroupVersionResource]cache.Store{}, changed: make(chan struct{}, 1)}
	factory := dynamicinformer.NewDynamicSharedInformerFactory(c, 0)
	for _, r := range resources {
		informer := factory.ForResource(r).Informer()
		if _, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
			AddFunc:    func(any) { v.wake() },
			UpdateFunc: func(any, any) { v.wake() },
			DeleteFunc: func(any) { v.wake() },
		}); err != nil {
			t.Fatal(err)
		}
		v.stores[r] = informer.GetStore()
	}
	over := done(t)
	factory.Start(over)
	factory.WaitForCacheSync(over)
	return v
}

func (v *View) wake() {
	select {
	case v.changed <- struct{}{}:
	default:
	}
}

// All returns the objects of a resource, which nobody may change.
func (v *View) All(resource schema.GroupVersionResource) []*unstructured.Unstructured {
	var out []*unstructured.Unstructured
	for _, object := range v.stores[resource].List() {
		out = append(out, object.(*unstructured.Unstructured))
	}
	return out
}

// Until calls done now and after each change, until it returns true.
func (v *View) Until(ctx context.Context, done func() bool) error {
	for !done() {
		select {
		case <-v.changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// done is closed when a test and what it has left to clean up are over.
func done(t testing.TB) <-chan struct{} {
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	return over
}
