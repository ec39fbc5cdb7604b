package bundle_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"github.com/open-policy-agent/opa/v1/ast"
	opa "github.com/open-policy-agent/opa/v1/bundle"
	"github.com/open-policy-agent/opa/v1/rego"

	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

const (
	config = "apiVersion: flux-remedy.io/v1alpha1\nkind: RemediationPolicy\nspec: {defaultTier: staging}\n"
	noOne  = `# METADATA
# title: No release is named one
# description: A rule of these tests.
# custom:
#   severity: {production: error, staging: error, development: error}
package remedy.rules.api["no-one"]

report contains {"path": ["metadata", "name"], "message": "the name one is taken"} if input.object.metadata.name == "one"
`
)

var now = time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC)

func own() fs.FS {
	return fstest.MapFS{
		"api/no-one/no-one.rego":      {Data: []byte(noOne)},
		"api/no-one/no-one_test.rego": {Data: []byte("package broken")},
		"api/no-one/bad.yaml":         {Data: []byte("a: b")},
	}
}

func build(t *testing.T, c bundle.Content) *bundle.Bundle {
	t.Helper()
	b, err := bundle.Build(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// saved writes a bundle to a file.
func saved(t *testing.T, packed []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bundle.tar.gz")
	if err := os.WriteFile(file, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func pack(t *testing.T, b *bundle.Bundle) []byte {
	t.Helper()
	packed, err := b.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// TestRoundTrip: what was built is opened from a file, a folder and a layout, with the same
// digest as policies that are in no bundle; and twice the same bytes.
func TestRoundTrip(t *testing.T) {
	content := bundle.Content{Config: []byte(config), Rules: []fs.FS{own()}, Revision: "v7", Version: "v1.0.0"}
	b := build(t, content)
	packed := pack(t, b)
	if again := pack(t, build(t, content)); !bytes.Equal(packed, again) {
		t.Error("twice the same content has different bytes")
	}
	layout := filepath.Join(t.TempDir(), "layout")
	if _, err := b.WriteLayout(layout); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	unpacked(t, packed, folder)

	direct, err := rules.New(t.Context(), policies.FS, own())
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := rules.ParseConfig([]byte(config))
	if err != nil {
		t.Fatal(err)
	}
	if direct, err = direct.Under(parsed); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{saved(t, packed), layout, folder} {
		opened, err := bundle.Open(name, nil, now)
		if err != nil {
			t.Fatal(err)
		}
		engine, err := opened.Engine(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if want := (rules.InForce{Digest: direct.Digest(), Bundle: "v7"}); engine.InForce() != want || opened.Version != "v1.0.0" {
			t.Errorf("%s: in force is %v, want %v", name, engine.InForce(), want)
		}
	}
}

func unpacked(t *testing.T, packed []byte, to string) {
	t.Helper()
	for name, data := range entries(t, packed) {
		file := filepath.Join(to, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOPAReads: OPA verifies and loads a signed bundle, and its verdict on an input is the
// one of the engine.
func TestOPAReads(t *testing.T) {
	for name, signer := range signers(t) {
		b := build(t, bundle.Content{Config: []byte(config), Rules: []fs.FS{own()}})
		if err := b.Sign(signer, bundle.DefaultKeyID, time.Time{}); err != nil {
			t.Fatal(err)
		}
		public := publicKey(t, signer)
		algorithm := map[string]string{"rsa": "RS256", "ecdsa": "ES384", "ed25519": "EdDSA"}[name]
		keys := map[string]*opa.KeyConfig{bundle.DefaultKeyID: {Key: string(public), Algorithm: algorithm}}
		read, err := opa.NewReader(bytes.NewReader(pack(t, b))).WithBundleVerificationConfig(opa.NewVerificationConfig(keys, "", "", nil)).
			WithRegoVersion(ast.RegoV1).Read()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		input := map[string]any{"object": map[string]any{"metadata": map[string]any{"name": "one"}}}
		results, err := rego.New(rego.Query("data.remedy.rules.api[\"no-one\"].report; data.metadata.rules.api"), rego.ParsedBundle("remedy", &read), rego.Input(input)).Eval(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if found, _ := results[0].Expressions[0].Value.([]any); len(found) != 1 {
			t.Errorf("%s: OPA reports %v", name, results)
		}
	}
}

func signers(t *testing.T) map[string]crypto.Signer {
	t.Helper()
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	curve, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, edwards, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]crypto.Signer{"rsa": private, "ecdsa": curve, "ed25519": edwards}
}

func publicKey(t *testing.T, signer crypto.Signer) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(signer.Public())
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}
