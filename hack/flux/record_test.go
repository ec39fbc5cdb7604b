//go:build flux

package flux

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A record of Helm is a Secret: base64 of gzipped JSON, in the base64 of the API.

// revisionOf returns the revision of a record.
func revisionOf(record unstructured.Unstructured) int {
	n, _ := strconv.Atoi(record.GetLabels()["version"])
	return n
}

// rewrite sets the status of a record and, unless it is zero, its revision.
func rewrite(record *unstructured.Unstructured, status string, revision int) error {
	release, err := decodeRecord(record)
	if err != nil {
		return err
	}
	labels := record.GetLabels()
	labels["status"] = status
	release["info"].(map[string]any)["status"] = status
	if revision > 0 {
		labels["version"], release["version"] = strconv.Itoa(revision), revision
		record.Object["metadata"] = map[string]any{"name": fmt.Sprintf("sh.helm.release.v1.%s.v%d", release["name"], revision)}
	}
	record.SetLabels(labels)
	text, err := json.Marshal(release)
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	inner := base64.StdEncoding.EncodeToString(packed.Bytes())
	return unstructured.SetNestedField(record.Object, base64.StdEncoding.EncodeToString([]byte(inner)), "data", "release")
}

// decodeRecord returns the release that a record holds.
func decodeRecord(record *unstructured.Unstructured) (map[string]any, error) {
	text, _, _ := unstructured.NestedString(record.Object, "data", "release")
	inner, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	packed, err := base64.StdEncoding.DecodeString(string(inner))
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	var release map[string]any
	return release, json.NewDecoder(r).Decode(&release)
}
