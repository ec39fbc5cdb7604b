package bundle

import (
	"fmt"
	"io"
)

// What Flux fetches as an OCIRepository and applies: an artifact as "flux push artifact" makes
// it, with the bundle as a file of a ConfigMap.
// https://github.com/fluxcd/flux2/blob/main/rfcs/0003-kubernetes-oci/README.md
const (
	fluxType       = "application/vnd.cncf.flux.content.v1.tar+gzip"
	fluxConfigType = "application/vnd.cncf.flux.config.v1+json"

	// PackedFile is the name of the bundle in it, and in its ConfigMap.
	PackedFile = "policies.tar.gz"

	kustomizationFile = "kustomization.yaml"
	kustomization     = `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
- name: remedy-bundle
  files: [` + PackedFile + `]
generatorOptions:
  disableNameSuffixHash: true # the webhook reads the new one without a restart
`

	maxConfigMap = 1 << 20 // bytes that the API server takes
)

// FluxImage returns the bundle as an artifact that Flux applies: the ConfigMap remedy-bundle.
func (b *Bundle) FluxImage() (Image, error) {
	packed, err := b.Pack()
	if err != nil {
		return Image{}, err
	}
	if len(packed) > maxConfigMap {
		return Image{}, fmt.Errorf("the bundle has %d KiB, and a ConfigMap holds %d: push it as an image", len(packed)>>10, maxConfigMap>>10)
	}
	layer, err := contents{kustomizationFile: []byte(kustomization), PackedFile: packed}.pack()
	config := []byte("{}")
	return b.image(describe(fluxConfigType, config), config, fluxType, layer), err
}

// packedIn returns the bundle that a layer holds: the layer itself, or a file of what Flux
// applies.
func packedIn(of descriptor, layer []byte) ([]byte, error) {
	if of.MediaType != fluxType {
		return layer, nil
	}
	var packed []byte
	err := untar(layer, func(name string, data io.Reader) error {
		if name != PackedFile {
			return nil
		}
		if packed != nil {
			return fmt.Errorf("%q is in it twice", name)
		}
		var err error
		packed, err = io.ReadAll(io.LimitReader(data, MaxPacked+1))
		return err
	})
	if packed == nil {
		return layer, err
	}
	return packed, err
}
