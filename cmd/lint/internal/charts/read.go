package charts

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/loss"
	"github.com/flux-remedy/remedy/pkg/release"
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

// parse reads manifests as helm template prints them.
func parse(name string, files []string) (*Result, error) {
	out := &Result{Chart: name}
	for _, text := range files {
		for _, part := range loss.Split(text) {
			documents, err := loss.Documents(part)
			if err != nil {
				return nil, fmt.Errorf("%s gives no YAML: %w", name, err)
			}
			if ofDefinitions.MatchString(part) {
				out.Definitions = append(out.Definitions, documents...)
			} else {
				out.Documents = append(out.Documents, documents...)
			}
		}
	}
	return out, nil
}

func keys(files map[string][]byte) iter.Seq[string] { return maps.Keys(files) }

// values returns what spec.valuesFrom refers to, in its order. What is not in the tree, or encrypted,
// makes the values unknown.
func (q Query) values() ([]Values, error) {
	var out []Values
	references, _ := object.At(q.Object, "spec", "valuesFrom").([]any)
	for _, ref := range references {
		kind, name := object.String(ref, "kind"), object.String(ref, "name")
		what := fmt.Sprintf("its values from %s %s are not known", kind, name)
		source := q.Find(kind, object.Namespace(q.Object), name)
		if source == nil {
			return nil, fmt.Errorf("%s: it is not in the tree", what)
		}
		if source["sops"] != nil {
			return nil, fmt.Errorf("%s: it is encrypted", what)
		}
		v := Values{Path: object.String(ref, "targetPath"), Secret: kind == "Secret"}
		v.Literal, _ = object.At(ref, "literal").(bool)
		var ok bool
		v.Text, ok = entry(source, object.String(ref, "valuesKey"))
		if optional, _ := object.At(ref, "optional").(bool); !ok && optional {
			continue
		} else if !ok {
			return nil, fmt.Errorf("%s: it has no such key", what)
		}
		more, err := v.parsed()
		if err != nil || strings.Contains(v.Text, "ENC[AES256_GCM") {
			return nil, fmt.Errorf("%s: it holds no values", what)
		}
		if kind == "Secret" {
			object.Leaves(nil, more, func(_ release.Path, v any) { q.Secret(fmt.Sprint(v)) })
		}
		out = append(out, v)
	}
	return out, nil
}

// parsed returns the values; those of a path as the text and what its commas, braces and quotes separate.
func (v Values) parsed() (any, error) {
	if v.Path != "" {
		parts := strings.FieldsFunc(v.Text, func(r rune) bool { return strings.ContainsRune(",{}[]=\"'\\", r) })
		out := []any{v.Text}
		for _, part := range parts {
			out = append(out, part)
		}
		return out, nil
	}
	out := map[string]any{}
	err := yaml.Unmarshal([]byte(v.Text), &out)
	return out, err
}

// entry returns the text under a key of a ConfigMap or Secret.
func entry(source map[string]any, key string) (string, bool) {
	if key == "" {
		key = "values.yaml"
	}
	data, _ := source["data"].(map[string]any)
	plain, _ := source["stringData"].(map[string]any)
	if text, ok := plain[key].(string); ok {
		return text, true
	}
	text, ok := data[key].(string)
	if ok && source["kind"] == "Secret" {
		decoded, err := base64.StdEncoding.DecodeString(text)
		return string(decoded), err == nil
	}
	return text, ok
}
