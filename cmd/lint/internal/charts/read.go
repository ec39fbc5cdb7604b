package charts

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
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
}

func readMetadata(text []byte) (out metadata) {
	_ = yaml.Unmarshal(text, &out) // what is no chart has no name
	return out
}

// metadataIn returns the metadata of an archive; zero if it is none of a chart.
func metadataIn(file string) metadata {
	f, err := os.Open(file)
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

// readFile reads a file up to a limit.
func readFile(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
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

// folderFiles reads the files of a chart's folder, but for what its .helmignore would most likely
// leave out: hidden folders.
func folderFiles(folder fs.FS) (map[string][]byte, error) {
	out, size := map[string][]byte{}, 0
	err := fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != "." {
			return fs.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := fs.ReadFile(folder, name)
		if err != nil {
			return err
		}
		if size += len(text); size > maxChart || len(out) > maxFiles {
			return errTooLarge
		}
		out[name] = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
		return nil
	})
	return out, err
}
