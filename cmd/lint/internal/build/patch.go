package build

import (
	"crypto/sha256"
	"encoding/json"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Patch applies patches, as spec.patches has them, to objects; nil if that is
// not possible. Equal patches of equal objects are applied once.
func (b *Builder) Patch(objects []map[string]any, patches []any) []map[string]any {
	asked, err := json.Marshal([]any{objects, patches})
	if err != nil {
		return nil
	}
	key := sha256.Sum256(asked)
	known := b.patched.Of(key, func() []byte {
		out, _ := json.Marshal(patched(objects, patches)) // read from YAML
		return out
	})
	var out []map[string]any
	_ = json.Unmarshal(known, &out)
	return out
}

func patched(objects []map[string]any, patches []any) []map[string]any {
	text := []byte{}
	for _, object := range objects {
		data, err := json.Marshal(object)
		if err != nil {
			return nil
		}
		text = append(append(text, "---\n"...), append(data, '\n')...)
	}
	kust, err := yaml.Marshal(map[string]any{"resources": []string{"objects.yaml"}, "patches": patches})
	if err != nil {
		return nil
	}
	files := tree.Of(nil).With(map[string][]byte{"objects.yaml": text, "kustomization.yaml": kust})
	resources, err := kustomize.Reads{}.Run(files, nil, ".")
	if err != nil {
		return nil
	}
	var out []map[string]any
	for _, res := range resources {
		if object, err := resource.New(res).Object(); err == nil {
			out = append(out, object)
		}
	}
	return out
}
