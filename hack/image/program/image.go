// Package program makes images of programs, without a container engine. The same programs
// give the same bytes.
package program

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/crane"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// Image returns an image that runs the first of some programs, on a base image or on "scratch".
func Image(base string, platform v1.Platform, programs []string) (v1.Image, error) {
	image, err := baseImage(base, platform)
	if err != nil {
		return nil, err
	}
	layer, err := layerOf(programs, base == "scratch")
	if err != nil {
		return nil, err
	}
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return nil, err
	}
	return configure(image, platform, "/"+filepath.Base(programs[0]))
}

func baseImage(base string, platform v1.Platform) (v1.Image, error) {
	if base == "scratch" {
		return mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), nil
	}
	return crane.Pull(base, crane.WithPlatform(&platform))
}

// layerOf returns a layer with the programs alone, without times and owners.
func layerOf(programs []string, oci bool) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, program := range programs {
		data, err := os.ReadFile(program)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.Base(program), Mode: 0o555, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	kind := types.DockerLayer
	if oci {
		kind = types.OCILayer
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil }, tarball.WithMediaType(kind))
}

// configure makes the image run the program, as an unprivileged user.
func configure(image v1.Image, platform v1.Platform, program string) (v1.Image, error) {
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture = platform.OS, platform.Architecture
	file.Config.User = "65532:65532"
	file.Config.Entrypoint = []string{program}
	file.Config.Cmd = nil
	file.Config.ExposedPorts = nil // manifests name the ports
	return mutate.ConfigFile(image, file)
}
