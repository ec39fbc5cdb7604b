package loss

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// pack writes a record as Helm stores it.
func pack(t *testing.T, record any) []byte {
	t.Helper()
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
}

// A record says what is lost, and no value of it is kept.
func TestFromRecord(t *testing.T) {
	r, err := FromRecord(pack(t, map[string]any{
		"name": "db", "namespace": "apps", "config": map[string]any{"password": "hunter2"},
		"chart":    map[string]any{"metadata": map[string]any{"name": "db", "version": "1.0.0"}},
		"manifest": "---\n# Source: db/a.yaml\nkind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: data}\nspec: {resources: {requests: {storage: 8Gi}}}\n---\nkind: List\nitems: [{kind: Secret, apiVersion: v1, metadata: {name: a, annotations: {a: hunter2}}, stringData: {b: hunter2}}]\n",
		"hooks":    []any{map[string]any{"manifest": "kind: PersistentVolumeClaim\napiVersion: v1\nmetadata: {name: cache, annotations: {helm.sh/hook: pre-install}}\n"}},
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(*r); strings.Contains(got, "hunter2") {
		t.Errorf("values are kept: %s", got)
	}
	want := "deletes PersistentVolumeClaim data (8Gi), PersistentVolumeClaim cache (it is a hook: the uninstall leaves it, the next install deletes it and creates it anew) and 1 object without data"
	if got := Of(*r).Sentence(); got != want || r.Chart != "db 1.0.0" {
		t.Errorf("%s: %s, want %s", r.Chart, got, want)
	}
}

// What cannot be read is an error that shows nothing of it.
func TestFromBadRecord(t *testing.T) {
	for name, text := range map[string][]byte{
		"not base64": []byte("hunter2!"), "not packed": []byte("aHVudGVyMg=="), "no JSON": pack(t, nil)[:20],
		"no YAML": pack(t, map[string]any{"manifest": "hunter2: ["}), "no object": pack(t, map[string]any{"manifest": "hunter2"}),
	} {
		if r, err := FromRecord(text); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, %v", name, r, err)
		}
	}
}
