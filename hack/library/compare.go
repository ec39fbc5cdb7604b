package library

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/yaml"
)

func cutPrefix(text, prefix string) (string, bool) { return strings.CutPrefix(text, prefix) }

// documents returns the objects of a stream.
func documents(text []byte) ([]map[string]any, error) {
	var out []map[string]any
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		var object map[string]any
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if object != nil {
			out = append(out, object)
		}
	}
}

// difference returns what flux-remedy says otherwise of a tree than Flux's libraries; "" if it
// says the same.
func difference(c *cluster, said verdict) string {
	var out strings.Builder
	for _, reason := range said.undetermined {
		if strings.Contains(reason, "which no field that Flux Remedy knows names") {
			fmt.Fprintf(&out, "the walk does not know all: %s\n", reason)
		}
	}
	if c.missing {
		return out.String()
	}
	if len(c.failed) > 0 && len(said.undetermined)+len(said.problems) == 0 {
		fmt.Fprintf(&out, "Flux fails, and nothing is said: %v\n", c.failed)
	}
	if len(c.failed)+len(c.contested) == 0 && !c.skipped && slices.ContainsFunc(said.undetermined, isOfToday) {
		fmt.Fprintf(&out, "Flux applies all, but undetermined: %q\n", said.undetermined)
	}
	want := c.releases()
	names := maps.Clone(want)
	for name := range said.releases {
		names[name] = nil
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		got, known := said.releases[name]
		switch {
		case c.contested["HelmRelease/"+name]:
		case !known && len(said.undetermined) > 0: // it says that it does not know all
		case !known:
			fmt.Fprintf(&out, "release %s is not seen\n", name)
		case want[name] == nil && len(c.failed) == 0 && !c.skipped:
			fmt.Fprintf(&out, "release %s is not applied by Flux\n", name)
		case want[name] != nil && !slices.ContainsFunc(got, func(r rendered) bool { return len(r.Unknown) > 0 || equal(want[name], r.Object) }):
			fmt.Fprintf(&out, "release %s is another:\nFlux    %s\nlinter  %s\n", name, asJSON(want[name]), asJSON(got))
		case len(got) > 1 && len(said.undetermined) == 0:
			fmt.Fprintf(&out, "release %s has several contents, and nothing is said: %s\n", name, asJSON(got))
		}
	}
	return out.String()
}

// equal reports whether two objects are the same.
func equal(a, b map[string]any) bool {
	var x, y any
	_ = json.Unmarshal([]byte(asJSON(a)), &x)
	_ = json.Unmarshal([]byte(asJSON(b)), &y)
	return reflect.DeepEqual(x, y)
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (t *tree) write(dir string) error {
	for name, text := range t.files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) archive() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t.files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, t.files[name])
		if !strings.HasSuffix(t.files[name], "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// isOfToday reports whether what is undetermined is not only so because a word may mean something to a
// later Flux, or because of a label: no library of Flux looks at what the API server takes of these.
func isOfToday(reason string) bool {
	refused := strings.Contains(reason, "it has metadata.labels, in which") && strings.Contains(reason, "has a value that is not valid")
	return !refused && !strings.Contains(reason, "misspelt, or newer than this program")
}
