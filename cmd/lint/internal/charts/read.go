package charts

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"sigs.k8s.io/yaml"
)

const (
	chartFile   = "Chart.yaml"
	maxMetadata = 1 << 20
)

// metadata is what is read of a Chart.yaml.
type metadata struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Dependencies are charts that it wants, by name and version.
	Dependencies []struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"dependencies"`
}

func readMetadata(text []byte) (out metadata) {
	_ = yaml.Unmarshal(text, &out) // what is no chart has no name
	return out
}

// metadataIn returns the metadata of an archive; zero if it is none of a chart.
func metadataIn(folder fs.FS, file string) metadata {
	f, err := folder.Open(file)
	if err != nil {
		return metadata{}
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return metadata{}
	}
	archive := tar.NewReader(io.LimitReader(unzipped, maxChart))
	for {
		header, err := archive.Next()
		if err != nil {
			return metadata{}
		}
		if dir, name := path.Split(path.Clean(header.Name)); name == chartFile && strings.Count(dir, "/") == 1 {
			text, _ := io.ReadAll(io.LimitReader(archive, maxMetadata))
			return readMetadata(text)
		}
	}
}

// readFile reads a regular file of a folder up to a limit.
func readFile(folder fs.FS, name string, limit int64) ([]byte, error) {
	if info, err := fs.Stat(folder, name); err != nil || !info.Mode().IsRegular() {
		return nil, cmp.Or(err, fs.ErrInvalid)
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, errTooLarge
	}
	return text, err
}

// folderFiles reads the files of a chart's folder, and those that links in it name. What its .helmignore leaves out
// is left out when it is rendered.
func folderFiles(folder fs.FS) (map[string][]byte, error) {
	out, left := map[string][]byte{}, int64(maxChart)
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		text, err := readFile(folder, name, left)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if left -= int64(len(text)); len(out) == maxFiles {
			return errTooLarge
		}
		out[name] = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("its chart cannot be read: %w", err)
	}
	return out, nil
}
