package main

import (
	"bytes"
	"io"
	"os"
	"testing"
)

// TestBackstop: the policies of the component backstop are what "flux-remedy vap" writes
// under the configuration that the manifests ship. "make generate" writes them by this
// test.
func TestBackstop(t *testing.T) {
	const file = "../../manifests/components/backstop/policies.yaml"
	var want bytes.Buffer
	std := streams{in: new(bytes.Buffer), out: &want, err: io.Discard}
	if code := run(t.Context(), []string{"vap", "--config", "../../manifests/base/config.yaml"}, std); code != exitOK {
		t.Fatalf("exits with %d", code)
	}
	if *update {
		if err := os.WriteFile(file, want.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if have, err := os.ReadFile(file); err != nil || !bytes.Equal(have, want.Bytes()) {
		t.Errorf("%s is stale, %v: run make generate", file, err)
	}
}
