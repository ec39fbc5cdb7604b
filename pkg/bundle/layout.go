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
	"strings"
)

// An OCI layout with one image.
// https://github.com/opencontainers/image-spec/blob/main/image-layout.md
const (
	layoutFile = "oci-layout"
	indexFile  = "index.json"
	indexType  = "application/vnd.oci.image.index.v1+json"
)

type imageIndex struct {
	SchemaVersion int          `json:"schemaVersion"`
	MediaType     string       `json:"mediaType"`
	Manifests     []descriptor `json:"manifests"`
}

// WriteLayout writes the bundle as an OCI layout to a folder that is not there yet, and
// returns the digest of its image.
func (b *Bundle) WriteLayout(dir string) (string, error) {
	image, err := b.Image()
	if err != nil {
		return "", err
	}
	index := imageIndex{SchemaVersion: 2, MediaType: indexType, Manifests: []descriptor{describe(manifestType, image.Manifest)}}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	for _, blob := range [][]byte{image.Layer, image.Config, image.Manifest} {
		if err := write(dir, blobFile(describe("", blob).Digest), blob); err != nil {
			return "", err
		}
	}
	return image.Digest(), errors.Join(write(dir, indexFile, asJSON(index)), write(dir, layoutFile, []byte(`{"imageLayoutVersion":"1.0.0"}`)))
}

func write(dir, name string, data []byte) error {
	to := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o644)
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
	if data, err = blob(layout, index.Manifests[0], maxDocument); err != nil {
		return nil, err
	}
	layer, err := layerOf(data)
	if err != nil {
		return nil, err
	}
	if data, err = blob(layout, layer, MaxPacked); err != nil {
		return nil, err
	}
	if data, err = packedIn(layer, data); err != nil {
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
	if err := d.fits(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
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

// RootOf returns the folder that a configuration in a folder names files from: the root of the
// repository around it or, outside of a repository, the folder itself. Links are followed.
func RootOf(folder string) (string, error) {
	dir, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	for top := dir; ; top = filepath.Dir(top) {
		if _, err := os.Lstat(filepath.Join(top, ".git")); err == nil {
			return filepath.EvalSymlinks(top)
		}
		if top == filepath.Dir(top) {
			return filepath.EvalSymlinks(dir)
		}
	}
}

// ReadKeys reads public keys and certificates from files, or from the environment for what
// begins with "env:".
func ReadKeys(named []string) (keys Keys, err error) {
	for _, name := range named {
		data, err := Secret(name)
		if err != nil {
			return nil, fmt.Errorf("verify key %s: %w", name, err)
		}
		more, err := ParseKeys(data)
		if err != nil {
			return nil, fmt.Errorf("verify key %s: %w", name, err)
		}
		keys = append(keys, more...)
	}
	return keys, nil
}

// Secret reads a file or, for what begins with "env:", a variable of the environment.
func Secret(name string) ([]byte, error) {
	variable, ok := strings.CutPrefix(name, "env:")
	if !ok {
		data, err := os.ReadFile(name)
		if err != nil {
			err = shorter(err)
		}
		return data, err
	}
	value := os.Getenv(variable)
	if value == "" {
		return nil, errors.New("the variable is not set, or empty")
	}
	return []byte(value), nil
}
