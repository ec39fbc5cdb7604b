package loss

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"regexp"

	"sigs.k8s.io/yaml"
)

// maxRecord is the size in bytes of a record, unpacked. A Secret is at most 1 MiB, packed.
const maxRecord = 64 << 20

// FromRecord reads a record of Helm: what its Secret holds under the key release, decoded once, as
// the API returns it. Of the record nothing but the manifests and the name of the chart is kept.
func FromRecord(text []byte) (*Release, error) {
	packed, err := base64.StdEncoding.DecodeString(string(text))
	if err != nil {
		return nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	var record struct {
		Namespace string
		Manifest  string
		Hooks     []struct{ Manifest string }
		Chart     struct {
			Metadata struct{ Name, Version string }
		}
	}
	if err := json.NewDecoder(io.LimitReader(unpacked, maxRecord)).Decode(&record); err != nil {
		return nil, fmt.Errorf("the record cannot be read: %w", err)
	}
	out := &Release{Chart: record.Chart.Metadata.Name + " " + record.Chart.Metadata.Version, Namespace: record.Namespace}
	manifests := []string{record.Manifest}
	for _, hook := range record.Hooks {
		manifests = append(manifests, hook.Manifest)
	}
	for _, manifest := range manifests {
		more, err := Documents(manifest)
		if err != nil {
			return nil, fmt.Errorf("the record cannot be read: its manifest is no YAML") // which may hold secrets
		}
		out.Documents = append(out.Documents, more...)
	}
	return out, nil
}

// separator separates YAML documents, as Helm splits them (SplitManifests).
var separator = regexp.MustCompile(`(?:^|\s*\n)---\s*`)

// Split splits manifests into the texts of their documents.
func Split(manifests string) []string { return separator.Split(manifests, -1) }

// Documents returns the objects of manifests, slim; empty documents are left out.
func Documents(manifests string) ([]map[string]any, error) {
	var out []map[string]any
	for _, text := range Split(manifests) {
		var document map[string]any
		if err := yaml.Unmarshal([]byte(text), &document); err != nil {
			return nil, err
		}
		if len(document) > 0 {
			out = append(out, Slim(document))
		}
	}
	return out, nil
}
