package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/flux-remedy/remedy/pkg/bundle"
)

// bundleOf packs a rule against a name and a configuration, signed unless signer is nil.
func bundleOf(t *testing.T, name, spec string, signer crypto.Signer, until time.Time) string {
	t.Helper()
	rule := fstest.MapFS{"api/no-" + name + ".rego": {Data: []byte(strings.ReplaceAll(customRule, "%", name))}}
	b, err := bundle.Build(t.Context(), bundle.Content{Rules: []fs.FS{rule}, Config: []byte(header + spec), Revision: "no-" + name, Version: version})
	if err != nil {
		t.Fatal(err)
	}
	if signer != nil {
		if err := b.Sign(signer, bundle.DefaultKeyID, until); err != nil {
			t.Fatal(err)
		}
	}
	packed, err := b.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return string(packed)
}

func newSigner(t *testing.T) crypto.Signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func publicKey(t *testing.T, signer crypto.Signer) string {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(signer.Public())
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

func certificateUntil(t *testing.T, signer crypto.Signer, until time.Time) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: until.AddDate(-1, 0, 0), NotAfter: until}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer.Public(), signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

// TestBundle judges by a signed bundle at the real API server. What is not signed, altered,
// expired or not what it says is refused with the reason, and the last good one stays.
func TestBundle(t *testing.T) {
	signer := newSigner(t)
	soon, past := time.Now().Add(time.Hour), time.Now().Add(-time.Hour)
	dir := t.TempDir()
	put := func(packed, key string) {
		t.Helper()
		mount(t, dir, map[string]string{"policies.tar.gz": packed, "key.pem": key})
	}
	first, key := bundleOf(t, "one", "", signer, soon), publicKey(t, signer)
	put(first, key)
	file := filepath.Join(dir, "policies.tar.gz")
	c, u, i := judged(t, "self-signed", "--bundle", file, "--verify-key", filepath.Join(dir, "key.pem"))
	namespace := u.namespace("production")
	denies := func(name string) error {
		_, err := u.releases(namespace).Create(t.Context(), helmRelease(name, retried), metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		if err == nil || !strings.Contains(err.Error(), "the name "+name+" is taken") || !strings.Contains(err.Error(), "Judged by bundle no-"+name) {
			return errors.New("not denied by the rule of the bundle")
		}
		return nil
	}
	if err := denies("one"); err != nil {
		t.Fatal(err)
	}
	if info := i.metric("remedy_webhook_policy_info"); !strings.Contains(info, `bundle="no-one"`) {
		t.Error(info)
	}
	eventually(t, "the audit log names the bundle", func() error {
		all, err := c.audit.of(namespace)
		if err == nil && all["production.flux-remedy.io/bundle"] != "no-one" {
			err = errors.New("it does not")
		}
		return err
	})

	altered := []byte(bundleOf(t, "two", "", nil, time.Time{}))
	for name, change := range map[string]struct{ packed, key, says string }{
		"unsigned":            {string(altered), key, "it is not signed"},
		"half":                {first[:len(first)/2], key, "whole"},
		"signed by another":   {bundleOf(t, "two", "", newSigner(t), soon), key, "its signature is not of this key"},
		"expired":             {bundleOf(t, "two", "", signer, past), key, "its signature has expired on"},
		"expired certificate": {first, certificateUntil(t, signer, past), "the certificate of the key has expired on"},
		"no key":              {first, "none", "it holds no public key"},
		"another digest":      {redigested(t, signer), key, "its manifest says digest sha256:0"},
		"another rule":        {bundleOf(t, "two", "spec: {rules: {no-two: {severity: \"off\"}}}", nil, time.Time{}), key, "it is not signed"},
	} {
		put(change.packed, change.key)
		i.want("remedy_webhook_reload_successful", "0")
		eventually(t, name+": the log says why", func() error {
			if !strings.Contains(i.log.String(), change.says) {
				return errors.New(i.log.String())
			}
			return nil
		})
		if err := denies("one"); err != nil {
			t.Errorf("%s: the old bundle is no longer in force: %v", name, err)
		}
		put(first, key)
		i.want("remedy_webhook_reload_successful", "1")
	}

	put(bundleOf(t, "two", "", signer, time.Time{}), key)
	eventually(t, "the new bundle judges", func() error { return denies("two") })
	if denies("one") == nil {
		t.Error("the rule that is gone still denies")
	}
	i.want("remedy_webhook_bundle_expiry_timestamp_seconds", "0")
}

// redigested signs a bundle whose manifest lies.
func redigested(t *testing.T, signer crypto.Signer) string {
	t.Helper()
	zipped, err := gzip.NewReader(strings.NewReader(bundleOf(t, "two", "", nil, time.Time{})))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := io.ReadAll(zipped)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(raw, []byte(`"sha256:`)) + len(`"sha256:`)
	copy(raw[at:at+64], strings.Repeat("0", 64))
	var changed bytes.Buffer
	again := gzip.NewWriter(&changed)
	if _, err := again.Write(raw); err != nil || again.Close() != nil {
		t.Fatal(err)
	}
	b, err := bundle.Unpack("changed", changed.Bytes(), nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Sign(signer, bundle.DefaultKeyID, time.Time{}); err != nil {
		t.Fatal(err)
	}
	packed, err := b.Pack()
	if err != nil {
		t.Fatal(err)
	}
	return string(packed)
}

// TestBundlesUnderLoad replaces the bundle again and again, by good ones that judge alike and
// by broken ones, while requests keep coming.
func TestBundlesUnderLoad(t *testing.T) {
	signer := newSigner(t)
	dir := t.TempDir()
	key := filepath.Join(dir, "key.pem")
	bundles := []string{ // the reload of every second one fails
		bundleOf(t, "one", "spec: {waivers: {maxDays: 30}}\n", signer, time.Time{}),
		bundleOf(t, "one", "", nil, time.Time{}),
		bundleOf(t, "two", "", signer, time.Time{}),
		"no bundle",
	}
	mount(t, dir, map[string]string{"policies.tar.gz": bundles[2], "key.pem": publicKey(t, signer)})
	c, _, i := judged(t, "fail-closed", "--bundle", filepath.Join(dir, "policies.tar.gz"), "--verify-key", key)
	load := &load{}
	for range 3 {
		load.add(creates(t, c))
	}
	for n := range 2 * len(bundles) {
		mount(t, dir, map[string]string{"policies.tar.gz": bundles[n%len(bundles)], "key.pem": publicKey(t, signer)})
		i.want("remedy_webhook_reload_successful", []string{"1", "0"}[n%2])
		load.during(t, 10)
	}
	load.finish(t)
}

// TestBundlesPage follows docs/bundles.md at the real API server: the rule of the page, in a
// bundle that the linter builds and signs, denies with the page's text; and the linter says
// whether the webhook judges by a bundle.
func TestBundlesPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/bundles.md")
	if err != nil {
		t.Fatal(err)
	}
	program, dir, signer := linter(t), t.TempDir(), newSigner(t)
	secret, err := x509.MarshalPKCS8PrivateKey(signer)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"policy/no-owner.rego": between(t, page, "```rego policy/visibility/no-owner/no-owner.rego\n", "```"),
		".flux-remedy.yaml":    between(t, page, "```yaml .flux-remedy.yaml\n", "```"),
		"key.pem":              string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})),
		"key.pub":              publicKey(t, signer),
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755), os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	run := func(want int, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir = dir
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Fatalf("%v exits with %d:\n%s", args, code, out)
		}
		return string(out)
	}
	run(0, "bundle", "build", "--policy", "policy", "--revision", "v7", "--signing-key", "key.pem", "-o", "policies.tar.gz")
	run(0, "bundle", "build", "--revision", "v6", "-o", "other.tar.gz")
	file, key := filepath.Join(dir, "policies.tar.gz"), filepath.Join(dir, "key.pub")
	_, u, i := judged(t, "self-signed", "--bundle", file, "--verify-key", key)

	namespace := u.namespace("production")
	_, err = u.releases(namespace).Create(t.Context(), helmRelease("shop", retried), metav1.CreateOptions{})
	denial := strings.ReplaceAll(between(t, page, "```text\nadmission webhook", "\n```"), " apps/shop ", " "+namespace+"/shop ")
	if err == nil || denial == "" || !strings.Contains(err.Error(), denial) || !strings.Contains(err.Error(), "Judged by bundle v7, policy digest ") {
		t.Errorf("denied with\n%v\nthe page says\n%s", err, denial)
	}
	webhook := "http://" + i.management
	if out := run(0, "bundle", "verify", "policies.tar.gz", "--verify-key", "key.pub", "--webhook", webhook); !strings.Contains(out, "bundle v7, version "+version+": the same\n") {
		t.Error(out)
	}
	if out := run(0, "bundle", "verify", "--policy", "policy", "--webhook", webhook); !strings.Contains(out, ": the same\n") {
		t.Error(out)
	}
	if out := run(1, "bundle", "verify", "other.tar.gz", "--webhook", webhook); !strings.Contains(out, ": not the same\n") {
		t.Error(out)
	}
}

// between returns what stands between two texts of a page.
func between(t *testing.T, page []byte, from, to string) string {
	t.Helper()
	_, after, ok := strings.Cut(string(page), from)
	text, _, end := strings.Cut(after, to)
	if !ok || !end {
		t.Fatalf("the page has no %q", from)
	}
	return text
}

// TestBundleComponents: the API server keeps all of the components, and the webhook opens what
// they mount: the layer of the image, as a kubelet unpacks it, and the ConfigMap that Flux makes
// of the artifact.
func TestBundleComponents(t *testing.T) {
	c := needCluster(t)
	u := c.user(t)
	u.ownNamespace(c)
	signer := newSigner(t)
	b, err := bundle.Unpack("built", []byte(bundleOf(t, "one", "", signer, time.Time{})), nil, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for name, fill := range map[string]func(dir string){
		"bundle-image": func(dir string) { unlayered(t, b.Image, dir) },
		"bundle": func(dir string) {
			artifact := t.TempDir()
			unlayered(t, b.FluxImage, artifact)
			built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), artifact)
			if err != nil || built.Size() != 1 {
				t.Fatal(built, err)
			}
			data, err := built.Resources()[0].MarshalJSON()
			if err != nil {
				t.Fatal(err)
			}
			applied := &unstructured.Unstructured{}
			if err := applied.UnmarshalJSON(data); err != nil {
				t.Fatal(err)
			}
			applied.SetNamespace("flux-remedy")
			if applied, err = u.apply(c, applied, metav1.ApplyOptions{DryRun: []string{metav1.DryRunAll}}); err != nil || applied.GetName() != "remedy-bundle" {
				t.Fatal(applied, err)
			}
			text, _, _ := unstructured.NestedString(applied.Object, "binaryData", bundle.PackedFile)
			packed, err := base64.StdEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			mount(t, dir, map[string]string{bundle.PackedFile: string(packed)})
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := slices.IndexFunc(build(t, name), func(o unstructured.Unstructured) bool { return o.GetKind() == "Deployment" })
			deployment, err := u.apply(c, &build(t, name)[i], metav1.ApplyOptions{DryRun: []string{metav1.DryRunAll}})
			if err != nil {
				t.Fatal(err)
			}
			var pod corev1.PodTemplateSpec
			template, _, _ := unstructured.NestedMap(deployment.Object, "spec", "template")
			if err := runtime.DefaultUnstructuredConverter.FromUnstructured(template, &pod); err != nil {
				t.Fatal(err)
			}
			dirs := map[string]string{"bundle": t.TempDir(), "keys": t.TempDir()}
			fill(dirs["bundle"])
			mount(t, dirs["keys"], map[string]string{"key.pub": publicKey(t, signer)})
			for _, volume := range pod.Spec.Volumes {
				if volume.Name == "bundle" && (volume.Image != nil) != (name == "bundle-image") {
					t.Errorf("the API server keeps %+v", volume)
				}
			}
			var s sources
			for _, arg := range pod.Spec.Containers[0].Args {
				for _, m := range pod.Spec.Containers[0].VolumeMounts {
					if dir := dirs[m.Name]; dir != "" {
						arg = strings.Replace(arg, m.MountPath, dir, 1)
					}
				}
				flag, value, _ := strings.Cut(arg, "=")
				switch flag {
				case "--bundle":
					s.bundle = value
				case "--verify-key":
					s.keys = append(s.keys, value)
				case "--config":
					s.config = value
				}
			}
			ruleset, err := s.load(t.Context())
			if err != nil || ruleset.InForce.Bundle != "no-one" || len(s.keys) != 1 {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
}

// unlayered unpacks the layer of an image into a folder.
func unlayered(t *testing.T, of func() (bundle.Image, error), dir string) {
	t.Helper()
	image, err := of()
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(image.Layer))
	if err != nil {
		t.Fatal(err)
	}
	archive := tar.NewReader(zipped)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(archive)
		file := filepath.Join(dir, filepath.FromSlash(header.Name))
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, data, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}
