package main

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestNamedPolicies holds the policies that a configuration names to the same ones named by flags,
// and changes of what it extends to be seen.
func TestNamedPolicies(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	load := func(s sources) *ruleset {
		t.Helper()
		p, err := s.load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	severity := "{rules: {no-shop: {severity: warning}}}"
	write("policies/api/no-shop.rego", strings.ReplaceAll(customRule, "%", "shop"))
	flag := load(sources{config: write("flag.yaml", header+"spec: "+severity), rules: filepath.Join(dir, "policies")})

	named := load(sources{config: write("named.yaml", header+"spec: {policies: {folders: [policies]}, rules: {no-shop: {severity: warning}}}")})
	if named.InForce != flag.InForce {
		t.Errorf("a folder that the configuration names: %v, as a flag: %v", named.InForce, flag.InForce)
	}

	write("base.yaml", header+"spec: "+severity)
	extending := sources{config: write("extending.yaml", header+"spec: {policies: {folders: [policies]}, extends: base.yaml}")}
	before := load(extending)
	if before.InForce != flag.InForce {
		t.Errorf("over an extended file: %v, as a flag: %v", before.InForce, flag.InForce)
	}
	write("base.yaml", header+"spec: {rules: {no-shop: {severity: info}}}")
	if after := load(extending); after.digests == before.digests || after.InForce == before.InForce {
		t.Error("a change of the extended file is not seen")
	}

	signer := newSigner(t)
	der, err := x509.MarshalPKIXPublicKey(signer.Public())
	if err != nil {
		t.Fatal(err)
	}
	write("key.pub", string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})))
	write("rules.tar.gz", bundleOf(t, "shop", "spec: {rules: {no-shop: {severity: info}}}", signer, time.Time{}))
	bundled := sources{config: write("bundled.yaml", header+"spec: {extends: rules.tar.gz, policies: {verifyKeys: [key.pub]}, rules: {no-shop: {severity: warning}}}")}
	if p := load(bundled); p.InForce.Digest != flag.InForce.Digest || p.InForce.Bundle != "no-shop" {
		t.Errorf("over an extended bundle: %v, as a flag: %v", p.InForce, flag.InForce)
	}
	write("rules.tar.gz", bundleOf(t, "shop", "spec: {}", newSigner(t), time.Time{}))
	if _, err := bundled.load(t.Context()); err == nil {
		t.Error("a bundle that no key of the configuration has signed is taken")
	}
}
