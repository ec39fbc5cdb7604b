package bundle_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// entries returns the files of a tar.gz.
func entries(t *testing.T, packed []byte) map[string][]byte {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for archive := tar.NewReader(zipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		if out[header.Name], err = io.ReadAll(archive); err != nil {
			t.Fatal(err)
		}
	}
}

// after returns a tar.gz with a text after the end of its tar.
func after(t *testing.T, packed []byte, text string) []byte {
	t.Helper()
	zipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	again := gzip.NewWriter(&out)
	_, copied := io.Copy(again, zipped)
	_, written := io.WriteString(again, text)
	if err := errors.Join(copied, written, again.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// packed writes a tar.gz of headers, with the content of the files.
func packed(t *testing.T, files map[string][]byte, more ...*tar.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	archive := tar.NewWriter(zipped)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		more = append(more, &tar.Header{Name: name, Mode: 0o644, Size: int64(len(files[name]))})
	}
	for _, header := range more {
		if err := archive.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := io.CopyN(archive, io.MultiReader(bytes.NewReader(files[header.Name]), zeros{}), header.Size); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(archive.Close(), zipped.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// TestHostileArchives: a tar.gz that is more or less than a bundle is refused, quickly.
func TestHostileArchives(t *testing.T) {
	files := entries(t, pack(t, build(t, bundle.Content{Version: "v1"})))
	with := func(name, content string) map[string][]byte {
		out := maps.Clone(files)
		if out[name] = []byte(content); content == "" {
			delete(out, name)
		}
		return out
	}
	rule := "policies/rules/recovery/no-recovery/no-recovery.rego"
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"nothing":         {nil, "no tar.gz"},
		"text":            {[]byte("a bundle"), "no tar.gz"},
		"half":            {packed(t, files)[:5000], "is not whole"},
		"empty":           {packed(t, nil), "no .manifest"},
		"upwards":         {packed(t, with("../../etc/evil.rego", "package evil")), `"../../etc/evil.rego" is no file of a bundle`},
		"upwards inside":  {packed(t, with("rules/../../evil.rego", "package evil")), "is no file of a bundle"},
		"backslash":       {packed(t, with(`rules\..\evil.rego`, "package evil")), "is no file of a bundle"},
		"absolute twice":  {packed(t, with("//etc/evil.rego", "package evil")), "is no file of a bundle"},
		"another file":    {packed(t, with("policies/run.sh", "#!/bin/sh")), "is no file of a bundle"},
		"wasm":            {packed(t, with("policy.wasm", "wasm")), "is no file of a bundle"},
		"second manifest": {packed(t, with("policies/.manifest", "{}")), "is no file of a bundle"},
		"tests":           {packed(t, with("rules/1/a_test.rego", "package a")), "is no file of a bundle"},
		"link":            {packed(t, files, &tar.Header{Name: "rules/1/a.rego", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}), "neither a file nor a folder"},
		"hard link":       {packed(t, files, &tar.Header{Name: "rules/1/a.rego", Typeflag: tar.TypeLink, Linkname: "main.rego"}), "neither a file nor a folder"},
		"device":          {packed(t, files, &tar.Header{Name: "rules/1/a.rego", Typeflag: tar.TypeChar}), "neither a file nor a folder"},
		"twice":           {packed(t, files, &tar.Header{Name: rule, Size: 3}), "twice"},
		"twice by slash":  {packed(t, files, &tar.Header{Name: "/" + rule, Size: 3}), "twice"},
		"bomb":            {packed(t, files, &tar.Header{Name: "rules/1/a.rego", Size: 200 << 20}), "larger than a bundle may be"},
		"large config":    {packed(t, with(".flux-remedy.yaml", strings.Repeat("#", 2<<20))), ".flux-remedy.yaml is larger than 1 MiB"},
		"long version":    {packed(t, with(".manifest", strings.Replace(string(files[".manifest"]), `"version": "`, `"version": "`+strings.Repeat("1", 600), 1))), "did not write it"},
		"no manifest":     {packed(t, with(".manifest", "")), "no .manifest"},
		"other manifest":  {packed(t, with(".manifest", `{"revision":"a"}`)), "did not write it"},
		"broken manifest": {packed(t, with(".manifest", `{`)), ".manifest: "},
		"odd revision":    {packed(t, with(".manifest", strings.Replace(string(files[".manifest"]), `"revision": "`, `"revision": "\u001b[31m`, 1))), "did not write it"},
		"bytes after it":  {append(packed(t, files), "evil"...), "bytes follow the end"},
		"zeros after it":  {append(packed(t, files), 0, 0), "bytes follow the end"},
		"a second stream": {append(packed(t, files), packed(t, nil)...), "bytes follow the end"},
		"in the stream":   {after(t, packed(t, files), "evil"), "bytes follow the end"},
	} {
		if _, err := bundle.Open(saved(t, c.data), nil, now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// TestWrongDigest: a bundle whose policies or configuration are not those of its manifest is
// refused, signed or not, and so is one that does not compile here.
func TestWrongDigest(t *testing.T) {
	files := entries(t, pack(t, build(t, bundle.Content{Config: []byte(config), Version: "v1"})))
	main := "policies/main.rego"
	for name, c := range map[string]struct{ file, content, says string }{
		"rego changed":   {main, string(files[main]) + "\n# More.\n", "its manifest says digest sha256:"},
		"config changed": {".flux-remedy.yaml", strings.Replace(config, "staging", "development", 1), "its manifest says digest sha256:"},
		"config wrong":   {".flux-remedy.yaml", "spec: {}", ".flux-remedy.yaml: apiVersion"},
		"other input":    {main, strings.Replace(string(files[main]), "data.remedy.lib.class.name", "input.gone", 1), "built by version v1"},
		"network":        {main, string(files[main]) + "\nx := http.send({})\n", "built by version v1"},
	} {
		changed := maps.Clone(files)
		changed[c.file] = []byte(c.content)
		b, err := bundle.Open(saved(t, packed(t, changed)), nil, now)
		if err == nil {
			_, err = b.Engine(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// TestHostileFolders: links and pipes in a folder are not followed, nor is a layout that lies.
func TestHostileFolders(t *testing.T) {
	b := build(t, bundle.Content{})
	for name, c := range map[string]struct {
		change func(dir string) error
		says   string
	}{
		"link": {func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "rules")) }, "neither a file nor a folder"},
		"more": {func(dir string) error { return os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o600) }, "no file of a bundle"},
		"gone": {os.RemoveAll, "no such file"},
	} {
		dir := t.TempDir()
		unpacked(t, pack(t, b), dir)
		if err := c.change(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(dir, nil, now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	for name, c := range map[string]struct{ old, new, says string }{
		"no index":     {"", "[", "index.json"},
		"two images":   {`"manifests":[`, `"manifests":[{},`, "2 entries"},
		"no digest":    {"sha256:", "sha256:../../", "want sha256"},
		"other digest": {`"digest":"sha256:`, `"digest":"sha256:00`, "want sha256"},
	} {
		dir := filepath.Join(t.TempDir(), "layout")
		if _, err := b.WriteLayout(dir); err != nil {
			t.Fatal(err)
		}
		index := filepath.Join(dir, "index.json")
		data, err := os.ReadFile(index)
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.Replace(string(data), c.old, c.new, 1)
		if err := os.WriteFile(index, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := bundle.Open(dir, nil, now); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	dir := filepath.Join(t.TempDir(), "layout")
	if _, err := b.WriteLayout(dir); err != nil {
		t.Fatal(err)
	}
	blobs, _ := filepath.Glob(filepath.Join(dir, "blobs/sha256/*"))
	for _, blob := range blobs {
		if err := os.WriteFile(blob, []byte("other"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bundle.Open(dir, nil, now); err == nil || !strings.Contains(err.Error(), "it was changed, or is not whole") {
		t.Errorf("a changed blob: %v", err)
	}
}

func keysOf(t *testing.T, data []byte) bundle.Keys {
	t.Helper()
	keys, err := bundle.ParseKeys(data)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestSignatures: only what one of the keys has signed, all of it, while it lasts.
func TestSignatures(t *testing.T) {
	all := signers(t)
	signer, public := all["rsa"], publicKey(t, all["rsa"])
	sign := func(until time.Time) map[string][]byte {
		t.Helper()
		b := build(t, bundle.Content{Config: []byte(config), Rules: []fs.FS{own()}})
		if err := b.Sign(signer, "ours", until); err != nil {
			t.Fatal(err)
		}
		return entries(t, pack(t, b))
	}
	good := sign(time.Time{})
	with := func(name, content string) map[string][]byte {
		out := maps.Clone(good)
		if out[name] = []byte(content); content == "" {
			delete(out, name)
		}
		return out
	}
	forged := func(head string, sign func(payload string) []byte) map[string][]byte {
		var signed struct{ Signatures []string }
		if err := json.Unmarshal(good[".signatures.json"], &signed); err != nil {
			t.Fatal(err)
		}
		payload := base64.RawURLEncoding.EncodeToString([]byte(head)) + "." + strings.Split(signed.Signatures[0], ".")[1]
		return with(".signatures.json", `{"signatures":["`+payload+"."+base64.RawURLEncoding.EncodeToString(sign(payload))+`"]}`)
	}
	none := func(string) []byte { return nil }
	byPublicKey := func(payload string) []byte {
		mac := hmac.New(sha256.New, public)
		mac.Write([]byte(payload))
		return mac.Sum(nil)
	}
	others := slices.Concat(publicKey(t, all["ecdsa"]), publicKey(t, all["ed25519"]))
	for name, c := range map[string]struct {
		files map[string][]byte
		keys  []byte
		says  string // empty for what is good
	}{
		"good":                  {good, public, ""},
		"good by one of three":  {good, slices.Concat(others, public), ""},
		"good while it lasts":   {sign(now.Add(time.Second)), public, ""},
		"good by certificate":   {good, certificate(t, signer, now.Add(time.Hour)), ""},
		"unsigned":              {with(".signatures.json", ""), public, "it is not signed"},
		"expired":               {sign(now), public, "its signature has expired on 2026-07-01 12:00 UTC: sign it anew"},
		"expired certificate":   {good, certificate(t, signer, now.Add(-time.Hour)), "the certificate of the key has expired on 2026-07-01 11:00 UTC"},
		"another key":           {good, publicKey(t, signers(t)["rsa"]), "its signature is not of this key"},
		"other keys":            {good, others, `none of 2 keys verifies it: it is signed with "RS256", the key takes ES384`},
		"rule changed":          {with("rules/1/api/no-one/no-one.rego", strings.Replace(noOne, `"one"`, `"two"`, 1)), public, "rules/1/api/no-one/no-one.rego was changed after it was signed"},
		"config changed":        {with(".flux-remedy.yaml", config+"# More.\n"), public, ".flux-remedy.yaml was changed"},
		"config gone":           {with(".flux-remedy.yaml", ""), public, ".flux-remedy.yaml is signed and not there"},
		"rule added":            {with("rules/2/a.rego", noOne), public, "rules/2/a.rego is not signed: it was added"},
		"data changed":          {with("data.json", "{}"), public, "data.json was changed"},
		"manifest changed":      {with(".manifest", strings.Replace(string(good[".manifest"]), `"revision": "`, `"revision": "x`, 1)), public, ".manifest was changed"},
		"no algorithm":          {forged(`{"alg":"none"}`, none), public, `it is signed with "none"`},
		"no algorithm, twice":   {forged(`{"alg":"RS256","Alg":"none"}`, none), public, `it is signed with "none"`},
		"the public key as MAC": {forged(`{"alg":"HS256"}`, byPublicKey), public, `it is signed with "HS256", the key takes RS256`},
		"the MAC as RS256":      {forged(`{"alg":"RS256"}`, byPublicKey), public, "its signature is not of this key"},
		"no signature":          {with(".signatures.json", `{"signatures":[]}`), public, "want one signature"},
		"a plugin":              {with(".signatures.json", `{"signatures":["a.b.c"],"plugin":"evil"}`), public, "of OPA's own kind"},
		"no token":              {with(".signatures.json", `{"signatures":["a"]}`), public, "no JSON Web Token"},
		"weak hashes":           {weak(t, good, signer), public, "by its MD5: want SHA-256"},
	} {
		_, err := bundle.Open(saved(t, packed(t, c.files)), keysOf(t, c.keys), now)
		if c.says == "" && err != nil || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
}

// weak signs the files by MD5.
func weak(t *testing.T, files map[string][]byte, signer crypto.Signer) map[string][]byte {
	t.Helper()
	var listed []string
	for name := range files {
		if name != ".signatures.json" {
			listed = append(listed, `{"name":"`+name+`","hash":"00","algorithm":"MD5"}`)
		}
	}
	encode := base64.RawURLEncoding.EncodeToString
	payload := encode([]byte(`{"alg":"RS256"}`)) + "." + encode([]byte(`{"keyid":"a","files":[`+strings.Join(listed, ",")+`]}`))
	sum := sha256.Sum256([]byte(payload))
	signature, err := signer.Sign(rand.Reader, sum[:], crypto.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	out := maps.Clone(files)
	out[".signatures.json"] = []byte(`{"signatures":["` + payload + "." + encode(signature) + `"]}`)
	return out
}

func certificate(t *testing.T, signer crypto.Signer, until time.Time) []byte {
	t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "policies"}, NotBefore: now.Add(-24 * time.Hour), NotAfter: until,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
}

// TestKeys: what is no public key, or a weak one, verifies nothing, and a private key is not
// taken for a public one.
func TestKeys(t *testing.T) {
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(signers(t)["ed25519"])
	if err != nil {
		t.Fatal(err)
	}
	secret := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"empty":       {nil, "holds no public key"},
		"a secret":    {[]byte("s3cret"), "holds no public key"},
		"private key": {secret, "it holds a PRIVATE KEY"},
		"short key":   {publicKey(t, short), "has 1024 bits"},
		"broken":      {pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: []byte("x")}), "PUBLIC KEY: "},
	} {
		if _, err := bundle.ParseKeys(c.data); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	if _, err := bundle.ParseSigner(secret); err != nil {
		t.Error(err)
	}
	for _, no := range [][]byte{nil, publicKey(t, short)} {
		if _, err := bundle.ParseSigner(no); err == nil {
			t.Errorf("%.40q signs", no)
		}
	}
}

// What Flux applies holds one bundle, and the layer of an image is what its manifest says.
func TestHostileArtifacts(t *testing.T) {
	b := build(t, bundle.Content{Version: "v1.0.0"})
	inner := map[string][]byte{bundle.PackedFile: pack(t, b), "kustomization.yaml": []byte("{}")}
	const fluxType = "application/vnd.cncf.flux.content.v1.tar+gzip"
	for name, c := range map[string]struct {
		layer, served []byte
		want          string
	}{
		"good":             {packed(t, inner), nil, ""},
		"two bundles":      {packed(t, inner, &tar.Header{Name: bundle.PackedFile, Size: 3}), nil, "is in it twice"},
		"a link":           {packed(t, map[string][]byte{}, &tar.Header{Name: bundle.PackedFile, Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}), nil, "neither a file nor a folder"},
		"another layer":    {packed(t, inner), []byte("other"), "it was changed, or is not whole"},
		"a bundle of text": {packed(t, map[string][]byte{bundle.PackedFile: []byte("text")}), nil, "no tar.gz"},
	} {
		sum := sha256.Sum256(c.layer)
		manifest := fmt.Sprintf(`{"layers":[{"mediaType":%q,"digest":"sha256:%x","size":%d}]}`, fluxType, sum, len(c.layer))
		served := c.served
		if served == nil {
			served = c.layer
		}
		got, err := bundle.Pulled([]byte(manifest), func(string, int64) ([]byte, error) { return served, nil })
		if err == nil {
			_, err = bundle.Unpack(name, got, nil, now)
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
