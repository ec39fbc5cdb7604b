package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/CycloneDX/cyclonedx-go"
	provenance "github.com/in-toto/attestation/go/predicates/provenance/v1"
	attestation "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// TestBill reads what an archive is made of with a reader of others.
func TestBill(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(published(t), "*.tar.gz.cdx.json"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	bom := &cyclonedx.BOM{}
	if err := cyclonedx.NewBOMDecoder(bytes.NewReader(data), cyclonedx.BOMFileFormatJSON).Decode(bom); err != nil {
		t.Fatal(err)
	}
	if root := bom.Metadata.Component; root.Version != "v0.1.0" || bom.Metadata.Timestamp != "" || bom.SerialNumber != "" {
		t.Errorf("metadata %+v", bom.Metadata)
	}
	seen := map[string]bool{}
	for _, c := range *bom.Components {
		if seen[c.BOMRef] || !strings.HasPrefix(c.PackageURL, "pkg:golang/") || c.Version == "" {
			t.Errorf("component %+v", c)
		}
		seen[c.BOMRef] = true
	}
	for _, want := range []string{"pkg:golang/std@", "pkg:golang/sigs.k8s.io/kustomize/api@", "pkg:golang/github.com/open-policy-agent/opa@", "pkg:golang/helm.sh/helm/v4@"} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is not in it", want)
		}
	}
}

// TestProvenance reads the statement with a reader of others, and holds it to the
// checksums.
func TestProvenance(t *testing.T) {
	dir := published(t)
	data, err := os.ReadFile(filepath.Join(dir, "flux-remedy_0.1.0_provenance.intoto.json"))
	if err != nil {
		t.Fatal(err)
	}
	statement, predicate := &attestation.Statement{}, &provenance.Provenance{}
	if err := protojson.Unmarshal(data, statement); err != nil {
		t.Fatal(err)
	}
	text, err := protojson.Marshal(statement.Predicate)
	if err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(text, predicate); err != nil {
		t.Fatal(err)
	}
	if err := statement.Validate(); err != nil {
		t.Error(err)
	}
	if err := predicate.Validate(); err != nil {
		t.Error(err)
	}
	sums, err := os.ReadFile(filepath.Join(dir, "flux-remedy_0.1.0_checksums.txt"))
	if err != nil || len(statement.Subject) < 5 {
		t.Fatal(statement.Subject, err)
	}
	if first := statement.Subject[0]; !strings.Contains(string(sums), first.Digest["sha256"]+"  "+first.Name+"\n") {
		t.Errorf("%v is not in the checksums\n%s", first, sums)
	}
}

// TestSign runs the command of whoever publishes on every file.
func TestSign(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a b"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (release{output: dir}).sign(`touch "$1.sig" && test -e`); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "a b.sig")); err != nil {
		t.Error(err)
	}
	if err := (release{output: dir}).sign("false"); err == nil {
		t.Error("a signature that fails is no error")
	}
}
