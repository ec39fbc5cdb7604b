package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	oci "github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// file is a file of an archive.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// modified is the time of all files of an archive, so that its bytes do not
// depend on the day.
var modified = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func read(name string, mode fs.FileMode) (file, error) {
	data, err := os.ReadFile(name)
	return file{filepath.Base(name), mode, data}, err
}

func tarball(files []file) ([]byte, error) {
	packed, err := pack(files)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	if _, err := zipped.Write(packed); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// pack returns files as a tar archive.
func pack(files []file) ([]byte, error) {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.data)), ModTime: modified, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func zipfile(files []file) ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: modified}
		header.SetMode(f.mode)
		to, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Flux's media types of an artifact, as its CLI pushes them.
// Source: github.com/fluxcd/pkg/oci, CanonicalConfigMediaType and
// CanonicalContentMediaType.
const (
	configType  = types.MediaType("application/vnd.cncf.flux.config.v1+json")
	contentType = types.MediaType("application/vnd.cncf.flux.content.v1.tar+gzip")
)

// artifact writes the manifests of the webhook as an artifact that Flux applies.
func (r release) artifact() ([]sum, error) {
	image, err := r.image()
	if err != nil {
		return nil, err
	}
	return r.layout("manifests", image.Digest, func(p layout.Path) error { return p.AppendImage(image) })
}

// layout writes an OCI layout in a tar file, and a file with the digest of what is in it.
func (r release) layout(what string, digestOf func() (v1.Hash, error), add func(layout.Path) error) ([]sum, error) {
	dir, err := os.MkdirTemp("", "flux-remedy-layout-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		return nil, err
	}
	if err := add(path); err != nil {
		return nil, err
	}
	files, err := readTree(dir)
	if err != nil {
		return nil, err
	}
	digest, err := digestOf()
	if err != nil {
		return nil, err
	}
	packed, err := pack(files)
	if err != nil {
		return nil, err
	}
	name := program + "_" + r.number() + "_" + what
	archive, err := r.put(name+".oci.tar", packed)
	if err != nil {
		return nil, err
	}
	named, err := r.put(name+".digest", []byte(digest.String()+"\n"))
	return []sum{archive, named}, err
}

// image returns the manifests as an image of one layer, without a time.
func (r release) image() (v1.Image, error) {
	files, err := readTree(filepath.Join(r.root, "manifests"))
	if err != nil {
		return nil, err
	}
	zipped, err := tarball(files)
	if err != nil {
		return nil, err
	}
	layer, err := oci.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(zipped)), nil
	}, oci.WithMediaType(contentType))
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), configType)
	image, err = mutate.Append(image, mutate.Addendum{Layer: layer})
	if err != nil {
		return nil, err
	}
	return mutate.Annotations(image, map[string]string{
		"org.opencontainers.image.source":   r.repository,
		"org.opencontainers.image.revision": r.version,
	}).(v1.Image), nil
}

// readTree returns all files below a folder, by their names relative to it.
func readTree(dir string) (files []file, err error) {
	err = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		files = append(files, file{filepath.ToSlash(relative), 0o644, data})
		return err
	})
	return files, err
}
