package registry

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	server "github.com/google/go-containerregistry/pkg/registry"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// start runs a registry in memory, behind a handler that may answer instead of it, and returns
// its host.
func start(t *testing.T, instead func(http.ResponseWriter, *http.Request) bool) string {
	t.Helper()
	t.Setenv("HOME", t.TempDir()) // nobody is logged in
	memory := server.New(server.Logger(log.New(io.Discard, "", 0)))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if instead == nil || !instead(w, r) {
			memory.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func built(t *testing.T) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Build(t.Context(), bundle.Content{Revision: "v7", Version: "v1.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func image(t *testing.T, of func() (bundle.Image, error)) bundle.Image {
	t.Helper()
	out, err := of()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is pushed is pulled byte for byte, by tag and by digest, as an image and as what Flux
// applies.
func TestRoundTrip(t *testing.T) {
	at := scheme + start(t, nil) + "/team/policies:v7"
	b := built(t)
	packed, err := b.Pack()
	if err != nil {
		t.Fatal(err)
	}
	for _, of := range []func() (bundle.Image, error){b.Image, b.FluxImage} {
		pushed, err := Client{}.Push(t.Context(), at, image(t, of))
		if err != nil {
			t.Fatal(err)
		}
		byDigest := strings.Replace(pushed, ":v7@", "@", 1)
		for _, from := range []string{at, byDigest} {
			got, where, err := Client{}.Pull(t.Context(), from)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, packed) || where != byDigest {
				t.Errorf("%s: %d bytes at %s, want %d at %s", from, len(got), where, len(packed), byDigest)
			}
		}
	}
}

// A password is sent to the registry that it is for.
func TestPassword(t *testing.T) {
	host := start(t, func(w http.ResponseWriter, r *http.Request) bool {
		if user, password, _ := r.BasicAuth(); user == "robot" && password == "secret" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Basic realm="registry"`)
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	at := scheme + host + "/policies:v7"
	img := image(t, built(t).Image)
	if _, err := (Client{}).Push(t.Context(), at, img); err == nil || !strings.Contains(err.Error(), "log in with docker, or add --username") {
		t.Errorf("without a password: %v", err)
	}
	who := Client{User: "robot", PasswordStdin: true, Stdin: strings.NewReader("secret\n")}
	if _, err := who.Push(t.Context(), at, img); err != nil {
		t.Error(err)
	}
	for want, c := range map[string]Client{
		"add --password-stdin": {User: "robot"},
		"add --username":       {PasswordStdin: true, Stdin: strings.NewReader("secret")},
	} {
		if _, _, err := c.Pull(t.Context(), at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"policies":                        "want oci://HOST/REPOSITORY:TAG",
		"oci://127.0.0.1:1/policies":      "want oci://HOST/REPOSITORY:TAG",
		"oci://":                          "want oci://HOST/REPOSITORY:TAG",
		"file:///etc/passwd":              "want oci://HOST/REPOSITORY:TAG",
		"oci://127.0.0.1:1/p@sha256:beef": "want oci://HOST/REPOSITORY:TAG",
		"oci://127.0.0.1:1/p@sha256:" + strings.Repeat("0", 64): "want a tag",
	} {
		if _, err := (Client{}).Push(t.Context(), address, bundle.Image{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

// lying is a registry that has an image and says something else about it.
type lying struct {
	manifest, layer []byte
	asLayer         func(http.ResponseWriter, *http.Request)
	asManifest      func(http.ResponseWriter, *http.Request)
}

func (l lying) answer(w http.ResponseWriter, r *http.Request) bool {
	switch {
	case strings.Contains(r.URL.Path, "/manifests/"):
		if l.asManifest != nil {
			l.asManifest(w, r)
			return true
		}
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		_, _ = w.Write(l.manifest)
		return true
	case strings.Contains(r.URL.Path, "/blobs/"):
		if l.asLayer != nil {
			l.asLayer(w, r)
			return true
		}
		_, _ = w.Write(l.layer)
		return true
	}
	return false
}

// A registry that lies is not believed, and cannot make the client read without end, ask
// another host without TLS, or open a file.
func TestLies(t *testing.T) {
	img := image(t, built(t).Image)
	var asked []string
	var mu sync.Mutex
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, r.Header.Get("Authorization"))
		_, _ = w.Write(img.Layer)
	}))
	t.Cleanup(elsewhere.Close)
	endless := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		junk := bytes.Repeat([]byte(" "), 1<<20)
		for {
			if _, err := w.Write(junk); err != nil {
				return
			}
		}
	}
	to := func(url string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, url, http.StatusTemporaryRedirect) }
	}
	other := append(bytes.Clone(img.Layer), 0)
	small := func(edit func(map[string]any)) []byte {
		var doc map[string]any
		if err := json.Unmarshal(img.Manifest, &doc); err != nil {
			t.Fatal(err)
		}
		edit(doc)
		out, _ := json.Marshal(doc)
		return out
	}
	firstLayer := func(doc map[string]any) map[string]any { return doc["layers"].([]any)[0].(map[string]any) }
	for what, c := range map[string]struct {
		of   lying
		want string
	}{
		"another layer":       {lying{manifest: img.Manifest, layer: other}, "sha256"},
		"half a layer":        {lying{manifest: img.Manifest, layer: img.Layer[:100]}, "error verifying"},
		"an endless layer":    {lying{manifest: img.Manifest, asLayer: endless}, ""},
		"an endless manifest": {lying{asManifest: endless}, ""},
		"no manifest":         {lying{manifest: []byte("{")}, "the image's manifest"},
		"a layer elsewhere":   {lying{manifest: img.Manifest, asLayer: to("http://192.0.2.1/layer")}, "is not asked: a registry has TLS"},
		"a file":              {lying{manifest: img.Manifest, asLayer: to("file:///etc/passwd")}, "is not asked: a registry has TLS"},
		"a manifest as file":  {lying{asManifest: to("file:///etc/passwd")}, "is not asked: a registry has TLS"},
		"a circle":            {lying{manifest: img.Manifest, asLayer: func(w http.ResponseWriter, r *http.Request) { to(r.URL.Path)(w, r) }}, "is it a circle?"},
		"a huge layer":        {lying{manifest: small(func(doc map[string]any) { firstLayer(doc)["size"] = 1 << 40 }), layer: img.Layer}, "larger than a bundle may be"},
		"a negative layer":    {lying{manifest: small(func(doc map[string]any) { firstLayer(doc)["size"] = -1 }), layer: img.Layer}, ""},
		"a wrong size":        {lying{manifest: small(func(doc map[string]any) { firstLayer(doc)["size"] = 7 }), layer: img.Layer}, ""},
		"no digest":           {lying{manifest: small(func(doc map[string]any) { firstLayer(doc)["digest"] = "sha256:../../etc" }), layer: img.Layer}, ""},
		"two layers":          {lying{manifest: small(func(doc map[string]any) { doc["layers"] = append(doc["layers"].([]any), firstLayer(doc)) }), layer: img.Layer}, "2 layers"},
		"an index": {lying{asManifest: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/vnd.oci.image.index.v1+json")
			_, _ = w.Write([]byte(`{"schemaVersion":2,"manifests":[]}`))
		}}, "it is no image of a bundle"},
	} {
		t.Run(what, func(t *testing.T) {
			host := start(t, c.of.answer)
			_, _, err := Client{}.Pull(t.Context(), scheme+host+"/policies:v7")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
	// By digest, another manifest is refused, and a store elsewhere gets no password.
	host := start(t, lying{manifest: []byte(string(img.Manifest) + " "), layer: img.Layer}.answer)
	if _, _, err := (Client{}).Pull(t.Context(), scheme+host+"/policies@"+img.Digest()); err == nil || !strings.Contains(err.Error(), "digest") {
		t.Errorf("another manifest: %v", err)
	}
	host = start(t, lying{manifest: img.Manifest, asLayer: to(elsewhere.URL)}.answer)
	who := Client{User: "robot", PasswordStdin: true, Stdin: strings.NewReader("secret")}
	if _, _, err := who.Pull(t.Context(), scheme+host+"/policies:v7"); err != nil {
		t.Error(err)
	}
	if fmt.Sprint(asked) != "[]" && fmt.Sprint(asked) != "[ ]" && strings.Join(asked, "") != "" {
		t.Errorf("the store was told %q", asked)
	}
}

// Without TLS no other machine is asked.
func TestPlain(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:5000": true, "localhost:5000": true, "[::1]:5000": true, "127.9.9.9": true,
		"10.0.0.1:5000": false, "192.168.1.1": false, "registry.example.com": false, "localhost.example.com": false, "127.0.0.1.example.com": false, "": false,
	} {
		if got := loopback(host); got != want {
			t.Errorf("%s: loopback %t", host, got)
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://10.0.0.1/v2/", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, registry := range []string{"127.0.0.1:5000", "10.0.0.1"} {
		if _, err := newTransport(registry).RoundTrip(request); err == nil || !strings.Contains(err.Error(), "is not asked") {
			t.Errorf("%s: %v", registry, err)
		}
	}
	request.URL.Host = "127.0.0.1:1"
	if _, err := newTransport("registry.example.com").RoundTrip(request); err == nil || !strings.Contains(err.Error(), "is not asked") {
		t.Errorf("a registry elsewhere names this machine: %v", err)
	}
}
