package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An OCI layout with one image of one layer, which is the bundle: as OPA pushes bundles, and
// as a kubelet mounts an image. Flux's own media type of a layer is read as well.
// https://github.com/opencontainers/image-spec/blob/main/image-layout.md
const (
	layoutFile = "oci-layout"
	indexFile  = "index.json"

	indexType    = "application/vnd.oci.image.index.v1+json"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	fluxType     = "application/vnd.cncf.flux.content.v1.tar+gzip"

	maxDocument = 1 << 20
)

// descriptor refers to a blob.
type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int64  `json:"size"`
}

type imageManifest struct {
	SchemaVersion int               `json:"schemaVersion"`
	MediaType     string            `json:"mediaType"`
	Config        descriptor        `json:"config"`
	Layers        []descriptor      `json:"layers"`
	Annotations   map[string]string `json:"annotations,omitempty"`
}

type imageIndex struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

// imageConfig has what it takes to unpack the layer.
type imageConfig struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	RootFS       struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// WriteLayout writes the bundle as an OCI layout to a folder that is not there yet, and
// returns the digest of its image.
func (b *Bundle) WriteLayout(dir string) (string, error) {
	packed, err := b.Pack()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	if err := b.writeTar(sum); err != nil {
		return "", err
	}
	config := imageConfig{Architecture: "amd64", OS: "linux"}
	config.RootFS.Type, config.RootFS.DiffIDs = "layers", []string{"sha256:" + hex.EncodeToString(sum.Sum(nil))}
	manifest := imageManifest{
		SchemaVersion: 2, MediaType: manifestType, Config: describe(configType, asJSON(config)), Layers: []descriptor{describe(layerType, packed)},
		Annotations: map[string]string{"org.opencontainers.image.revision": b.Revision, "io.flux-remedy.policy-digest": b.Digest.String()},
	}
	image := describe(manifestType, asJSON(manifest))
	index := imageIndex{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{image}}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	for _, blob := range [][]byte{packed, asJSON(config), asJSON(manifest)} {
		if err := write(dir, blobFile(describe("", blob).Digest), blob); err != nil {
			return "", err
		}
	}
	return image.Digest, errors.Join(write(dir, indexFile, asJSON(index)), write(dir, layoutFile, []byte(`{"imageLayoutVersion":"1.0.0"}`)))
}

func write(dir, name string, data []byte) error {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
}

func describe(mediaType string, blob []byte) descriptor {
	sum := sha256.Sum256(blob)
	return descriptor{MediaType: mediaType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(blob))}
}

func asJSON(document any) []byte {
	data, _ := json.Marshal(document) // strings and numbers
	return data
}

// blobFile returns the file of a blob; empty for a digest that is none.
func blobFile(digest string) string {
	digits, ok := strings.CutPrefix(digest, "sha256:")
	if raw, err := hex.DecodeString(digits); !ok || err != nil || len(raw) != sha256.Size {
		return ""
	}
	return path.Join("blobs/sha256", digits)
}

// openLayout reads the bundle that an OCI layout holds.
func openLayout(layout fs.FS) (contents, error) {
	var index imageIndex
	data, err := limited(layout, indexFile, maxDocument)
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", indexFile, err)
	}
	if len(index.Manifests) != 1 || index.Manifests[0].MediaType != manifestType {
		return nil, fmt.Errorf("%s: want one image, it has %d entries", indexFile, len(index.Manifests))
	}
	var manifest imageManifest
	if data, err = blob(layout, index.Manifests[0], maxDocument); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("the image's manifest: %w", err)
	}
	if len(manifest.Layers) != 1 || !slices.Contains([]string{layerType, fluxType}, manifest.Layers[0].MediaType) {
		return nil, fmt.Errorf("the image has %d layers: want one, a tar+gzip", len(manifest.Layers))
	}
	if data, err = blob(layout, manifest.Layers[0], MaxPacked); err != nil {
		return nil, err
	}
	return unpack(data)
}

// blob reads what a descriptor refers to, and nothing else.
func blob(layout fs.FS, d descriptor, most int64) ([]byte, error) {
	name := blobFile(d.Digest)
	if name == "" {
		return nil, fmt.Errorf("digest %q: want sha256", d.Digest)
	}
	data, err := limited(layout, name, most)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if got := describe(d.MediaType, data); got != d {
		return nil, fmt.Errorf("%s has digest %s and %d bytes: it was changed, or is not whole", name, got.Digest, got.Size)
	}
	return data, nil
}

// limited reads a regular file up to a size.
func limited(from fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(from, name)
	if err != nil {
		return nil, shorter(err)
	}
	if !info.Mode().IsRegular() {
		return nil, errNoFile
	}
	f, err := from.Open(name)
	if err != nil {
		return nil, shorter(err)
	}
	defer f.Close()
	var out bytes.Buffer
	if n, err := io.Copy(&out, io.LimitReader(f, most+1)); err != nil || n > most {
		return nil, errors.Join(err, errTooLarge)
	}
	return out.Bytes(), nil
}
