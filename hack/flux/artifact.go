package flux

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"sync"
	"testing"
	"time"
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
