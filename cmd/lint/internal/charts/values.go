package charts

import (
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

// values returns the values of a release: those of spec.valuesFrom in their order, then
// spec.values. What is not in the tree, or encrypted, makes them unknown.
func (q Query) values() (map[string]any, error) {
	spec, _ := q.Object["spec"].(map[string]any)
	out := map[string]any{}
	references, _ := spec["valuesFrom"].([]any)
	for _, ref := range references {
		kind, name := object.String(ref, "kind"), object.String(ref, "name")
		what := fmt.Sprintf("its values from %s %s are not known", kind, name)
		if object.String(ref, "targetPath") != "" {
			return nil, fmt.Errorf("%s: targetPath is not followed here", what)
		}
		source := q.Find(kind, object.Namespace(q.Object), name)
		if source == nil {
			return nil, fmt.Errorf("%s: it is not in the tree", what)
		}
		if source["sops"] != nil {
			return nil, fmt.Errorf("%s: it is encrypted", what)
		}
		text, ok := entry(source, object.String(ref, "valuesKey"))
		if optional, _ := object.At(ref, "optional").(bool); !ok && optional {
			continue
		} else if !ok {
			return nil, fmt.Errorf("%s: it has no such key", what)
		}
		more := map[string]any{}
		if err := yaml.Unmarshal([]byte(text), &more); err != nil || strings.Contains(text, "ENC[AES256_GCM") {
			return nil, fmt.Errorf("%s: it holds no values", what)
		}
		if kind == "Secret" {
			object.Leaves(nil, more, func(_ release.Path, v any) { q.Secret(fmt.Sprint(v)) })
		}
		out = merged(out, more)
	}
	own, _ := spec["values"].(map[string]any)
	return merged(out, own), nil
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

// merged returns values with others over them, as helm-controller merges them (chartutil.MergeMaps).
func merged(under, over map[string]any) map[string]any {
	out := maps.Clone(under)
	for key, value := range over {
		if more, ok := value.(map[string]any); ok {
			if old, ok := out[key].(map[string]any); ok {
				out[key] = merged(old, more)
				continue
			}
		}
		out[key] = value
	}
	return out
}
