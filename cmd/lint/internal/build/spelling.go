package build

import (
	"bytes"

	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

// Kustomize reads the names of fields in whatever letter case they are written, follows aliases
// and decodes tagged texts. So that nobody else needs to, such a kustomization.yaml is read by
// kustomize's own type and written again.

// spelt sets on a kustomization.yaml the object and the text that kustomize makes of it, if it is
// written in another way. One that kustomize refuses is left as it is.
func (k *KustFile) spelt() {
	data := k.Doc.File.Data()
	if isSpelt(k.Object, fieldNames) && !bytes.ContainsAny(data, "!&") {
		return
	}
	var typed kustypes.Kustomization
	if typed.Unmarshal(data) != nil {
		return
	}
	text, err := yaml.Marshal(typed)
	if err != nil {
		return
	}
	var object map[string]any
	if yaml.Unmarshal(text, &object) == nil {
		k.Object, k.text, k.Component = object, text, object["kind"] == kustypes.ComponentKind
	}
}

// isSpelt reports whether the fields of a kustomization.yaml, and those of their items that name
// files, have the names that kustomize writes.
func isSpelt(object map[string]any, names map[string]bool) bool {
	for name, value := range object {
		if !names[name] {
			return false
		}
		items, _ := value.([]any)
		for _, item := range items {
			if fields, ok := item.(map[string]any); ok && !isSpelt(fields, itemNames) {
				return false
			}
		}
	}
	return true
}

var fieldNames = setOf(
	"apiVersion", "kind", "metadata", "openapi", "namePrefix", "nameSuffix", "namespace", "commonLabels", "labels", "commonAnnotations",
	"patchesStrategicMerge", "patchesJson6902", "patches", "images", "imageTags", "replacements", "replicas", "vars", "sortOptions",
	"resources", "components", "crds", "bases", "configMapGenerator", "secretGenerator", "helmGlobals", "helmCharts",
	"helmChartInflationGenerator", "generatorOptions", "configurations", "generators", "transformers", "validators", "buildMetadata",
)

// itemNames are those of the items of lists of fieldNames that have some meaning here, and others
// that are common.
var itemNames = setOf(
	"path", "patch", "target", "options", "name", "namespace", "behavior", "files", "literals", "env", "envs", "type", "source", "targets",
	"newName", "newTag", "digest", "pairs", "includeSelectors", "includeTemplates", "fields", "count", "objref", "fieldref", "tagSuffix",
	"select", "reject", "fieldPaths",
)

func setOf(names ...string) map[string]bool {
	out := map[string]bool{}
	for _, name := range names {
		out[name] = true
	}
	return out
}
