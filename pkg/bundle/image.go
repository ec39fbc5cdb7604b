package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// An image of one layer, which is the bundle: as OPA pushes bundles, and as a kubelet mounts
// an image.
const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	configType   = "application/vnd.oci.image.config.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"

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

// Image is an OCI image with one layer.
type Image struct {
	// Manifest and Config are JSON, Layer is a tar.gz.
	Manifest, Config, Layer []byte
}

// Digest returns that of the manifest, which names the image.
func (i Image) Digest() string { return describe(manifestType, i.Manifest).Digest }

// imageConfig has what it takes to unpack the layer.
type imageConfig struct {
	Architecture string `json:"architecture"`
	OS           string `json:"os"`
	RootFS       struct {
		Type    string   `json:"type"`
		DiffIDs []string `json:"diff_ids"`
	} `json:"rootfs"`
}

// Image returns the bundle as an image: the same for the same bundle.
func (b *Bundle) Image() (Image, error) {
	packed, err := b.Pack()
	if err != nil {
		return Image{}, err
	}
	sum := sha256.New()
	if err := b.files.writeTar(sum); err != nil {
		return Image{}, err
	}
	config := imageConfig{Architecture: "amd64", OS: "linux"}
	config.RootFS.Type, config.RootFS.DiffIDs = "layers", []string{"sha256:" + hex.EncodeToString(sum.Sum(nil))}
	return b.image(describe(configType, asJSON(config)), asJSON(config), layerType, packed), nil
}

// image returns an image whose manifest names the bundle.
func (b *Bundle) image(of descriptor, config []byte, mediaType string, layer []byte) Image {
	return Image{Config: config, Layer: layer, Manifest: asJSON(imageManifest{
		SchemaVersion: 2, MediaType: manifestType, Config: of, Layers: []descriptor{describe(mediaType, layer)},
		Annotations: map[string]string{"org.opencontainers.image.revision": b.Revision, "io.flux-remedy.policy-digest": b.Digest.String()},
	})}
}

func describe(mediaType string, blob []byte) descriptor {
	sum := sha256.Sum256(blob)
	return descriptor{MediaType: mediaType, Digest: "sha256:" + hex.EncodeToString(sum[:]), Size: int64(len(blob))}
}

func asJSON(document any) []byte {
	data, _ := json.Marshal(document) // strings and numbers
	return data
}

func (d descriptor) fits(blob []byte) error {
	if got := describe(d.MediaType, blob); got != d {
		return fmt.Errorf("it has digest %s and %d bytes: it was changed, or is not whole", got.Digest, got.Size)
	}
	return nil
}

func layerOf(manifest []byte) (descriptor, error) {
	var of imageManifest
	if err := json.Unmarshal(manifest, &of); err != nil {
		return descriptor{}, fmt.Errorf("the image's manifest: %w", err)
	}
	if len(of.Layers) != 1 || !slices.Contains([]string{layerType, fluxType}, of.Layers[0].MediaType) {
		return descriptor{}, fmt.Errorf("the image has %d layers: want one, a tar+gzip", len(of.Layers))
	}
	return of.Layers[0], nil
}

// Pulled reads the bundle of an image that is elsewhere: read returns the blob of a digest.
// It returns the tar.gz of the bundle, byte for byte.
func Pulled(manifest []byte, read func(digest string, size int64) ([]byte, error)) ([]byte, error) {
	layer, err := layerOf(manifest)
	if err != nil {
		return nil, err
	}
	if layer.Size > MaxPacked {
		return nil, errTooLarge
	}
	data, err := read(layer.Digest, layer.Size)
	if err != nil {
		return nil, err
	}
	if err := layer.fits(data); err != nil {
		return nil, fmt.Errorf("the layer %s: %w", layer.Digest, err)
	}
	return packedIn(layer, data)
}
