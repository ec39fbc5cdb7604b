package flux

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/tools/cache"
)

// Artifacts serves the content of sources, as source-controller does.
type Artifacts struct {
	server *httptest.Server
	mu     sync.Mutex
	files  map[string][]byte // by path
}

func serve(t testing.TB) *Artifacts {
	t.Helper()
	a := &Artifacts{files: map[string][]byte{}}
	a.server = httptest.NewServer(a)
	t.Cleanup(a.server.Close)
	return a
}

// ServeHTTP implements [http.Handler].
func (a *Artifacts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	data, found := a.files[path.Base(r.URL.Path)]
	a.mu.Unlock()
	if !found {
		http.NotFound(w, r)
		return
	}
	http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(data))
}

// Publish serves data and returns the status of a source whose content that is. Its revision is that
// of a name, such as main or 1.0.0, with the digest.
func (a *Artifacts) Publish(data []byte, name string) map[string]any {
	digest := fmt.Sprintf("%x", sha256.Sum256(data))
	file, revision := digest+".tar.gz", name+"@sha256:"+digest
	a.mu.Lock()
	a.files[file] = data
	a.mu.Unlock()
	return map[string]any{
		"path": file, "url": a.server.URL + "/" + file, "digest": "sha256:" + digest, "revision": revision,
		"size": int64(len(data)), "lastUpdateTime": "2026-01-01T00:00:00Z",
	}
}

// Tar packs the files of a tree that keep returns true for.
func Tar(tree fs.FS, keep func(name string) bool) ([]byte, error) {
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	pack := tar.NewWriter(zip)
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !keep(name) {
			return err
		}
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		if err := pack.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return err
		}
		_, err = pack.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := pack.Close(); err != nil {
		return nil, err
	}
	if err := zip.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Chart packs a Helm chart named app, with templates by file name.
func Chart(version string, templates map[string]string) ([]byte, error) {
	files := fstest.MapFS{"app/Chart.yaml": {Data: fmt.Appendf(nil, "apiVersion: v2\nname: app\nversion: %s\n", version)}}
	for name, text := range maps.All(templates) {
		files["app/templates/"+name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Tar(files, func(string) bool { return true })
}

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
