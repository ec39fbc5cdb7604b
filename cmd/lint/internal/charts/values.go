package charts

import (
	"encoding/base64"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/release"
)

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
