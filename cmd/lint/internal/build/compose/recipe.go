package compose

import (
	"encoding/json"
	"slices"
	"strings"

	kustypes "sigs.k8s.io/kustomize/api/types"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// recipe is what a kustomization.yaml says, where it says nothing else.
type recipe struct {
	resources, components []string
	patches               []recipePatch
	namespace             string
	labels                labeling
	component             bool
	generators            map[string]any // the fields for them
	generated             []string       // names of what they make
	file                  string         // that says it
	doubt                 string         // why it is not certain what it says; nothing else is set then
}

// labeling are labels, and the step that sets them.
type labeling struct {
	pairs map[string]string
	done  *step
}

// recipePatch is a patch, in a text or a file.
type recipePatch struct {
	text, file string
	target     *kustypes.Selector
}

// recipeOf reads a kustomization.yaml.
func recipeOf(data []byte) *recipe {
	file, err := yamledit.Parse("", data)
	if err != nil || !isOrdinary(string(data)) || len(file.Documents) != 1 {
		return &recipe{doubt: "an odd kustomization.yaml"}
	}
	obj, err := file.Documents[0].Object()
	if err != nil || !isKind(obj["kind"], obj["apiVersion"]) {
		return &recipe{doubt: "an odd kustomization.yaml"}
	}
	r, ok := &recipe{}, true
	for field, value := range obj {
		switch field {
		case "kind":
			r.component = value == kustypes.ComponentKind
		case "apiVersion":
		case "resources":
			r.resources, ok = texts(value)
		case "components":
			r.components, ok = texts(value)
		case "patches":
			ok = r.takePatches(value)
		case "namespace":
			r.namespace, ok = value.(string)
			ok = ok && yamledit.IsName(r.namespace)
		case "labels":
			ok = r.takeLabels(value)
		case "configMapGenerator", "secretGenerator", "generatorOptions":
			if r.generators == nil {
				r.generators = map[string]any{}
			}
			r.generators[field] = value
		default:
			ok = false
		}
		if !ok {
			return &recipe{doubt: "the field " + field}
		}
	}
	if !r.nameGenerated() {
		return &recipe{doubt: "a generator"}
	}
	delete(obj, "kind")
	delete(obj, "apiVersion")
	if len(obj) == 0 {
		return &recipe{doubt: "an empty kustomization.yaml"} // which kustomize refuses
	}
	return r
}

// nameGenerated notes what the generators make, in the order of kustomize, and reports whether
// each of them makes something of its own.
func (r *recipe) nameGenerated() bool {
	if r.generators == nil {
		return true
	}
	text, err := json.Marshal(r.generators)
	if err != nil || strings.Contains(string(text), ownKeys) || strings.Contains(string(text), "ustomization") {
		return false // the file that says it is another one while they are built
	}
	for _, field := range []string{"configMapGenerator", "secretGenerator"} {
		items, _ := r.generators[field].([]any)
		for _, item := range items {
			entry, _ := item.(map[string]any)
			name := object.String(entry, "name")
			if _, merges := entry["behavior"]; merges || !yamledit.IsName(name) || strings.Contains(name, "$") {
				return false
			}
			r.generated = append(r.generated, name)
		}
	}
	return len(r.generated) > 0 // or kustomize is not asked whether it takes the fields
}

// isKind reports whether kustomize takes a file of a kind and version.
func isKind(kind, version any) bool {
	if kind == kustypes.ComponentKind {
		return version == nil || version == kustypes.ComponentVersion
	}
	return (kind == nil || kind == kustypes.KustomizationKind) && (version == nil || version == kustypes.KustomizationVersion)
}

// texts returns a list of texts.
func texts(value any) ([]string, bool) {
	items, ok := value.([]any)
	out := make([]string, len(items))
	for i, item := range items {
		text, isText := item.(string)
		out[i], ok = text, ok && isText
	}
	return out, ok
}

// takePatches adds a list of patches.
func (r *recipe) takePatches(list any) bool {
	items, ok := list.([]any)
	if !ok {
		return false
	}
	for _, item := range items {
		entry, ok := item.(map[string]any)
		if !ok {
			return false
		}
		var p recipePatch
		for field, value := range entry {
			switch field {
			case "patch":
				p.text, ok = value.(string)
				p.text = strings.TrimSpace(p.text)
			case "path":
				p.file, ok = value.(string)
			case "target":
				p.target, ok = selectorOf(value)
			default:
				ok = false
			}
			if !ok {
				return false
			}
		}
		if (p.text == "") == (p.file == "") {
			return false
		}
		r.patches = append(r.patches, p)
	}
	return true
}

// takeLabels adds a list of labels. Where they are set beside the metadata, they are so in kinds that
// kustomize knows.
func (r *recipe) takeLabels(list any) bool {
	items, ok := list.([]any)
	r.labels = labeling{map[string]string{}, &step{map[string]any{"labels": list}}}
	for _, item := range items {
		entry, isMap := item.(map[string]any)
		for field, value := range entry {
			pairs, isMap := value.(map[string]any)
			_, isSwitch := value.(bool)
			ok = ok && (field == "pairs" && isMap && isOwn(value) || isSwitch && (field == "includeSelectors" || field == "includeTemplates"))
			for key, value := range pairs {
				text, _ := value.(string)
				r.labels.pairs[key], ok = text, ok && resource.IsPlainText(key) && resource.IsPlainText(text) && !strings.Contains(key+text, "\n")
			}
		}
		ok = ok && isMap
	}
	return ok
}

// selectorOf reads the target of a patch.
func selectorOf(value any) (*kustypes.Selector, bool) {
	fields, ok := value.(map[string]any)
	s := &kustypes.Selector{}
	to := map[string]*string{
		"group": &s.Group, "version": &s.Version, "kind": &s.Kind, "name": &s.Name, "namespace": &s.Namespace,
		"labelSelector": &s.LabelSelector, "annotationSelector": &s.AnnotationSelector,
	}
	for field, value := range fields {
		text, isText := value.(string)
		if !isText || to[field] == nil {
			return nil, false
		}
		*to[field] = text
	}
	return s, ok
}

// add adds the fields of a Flux Kustomization, as generate does; false if there are others
// that change what is built.
func (r *recipe) add(ks map[string]any) bool {
	for _, field := range []string{"namePrefix", "nameSuffix", "patchesStrategicMerge", "patchesJson6902", "images", "buildMetadata"} {
		if object.At(ks, "spec", field) != nil {
			return false
		}
	}
	if namespace := object.At(ks, "spec", "targetNamespace"); namespace != nil {
		text, ok := namespace.(string)
		if r.namespace = text; !ok || !yamledit.IsName(text) {
			return false
		}
	}
	patches := object.At(ks, "spec", "patches")
	if patches == nil {
		return true
	}
	r.patches = slices.Clone(r.patches)
	before := len(r.patches)
	return r.takePatches(patches) && !slices.ContainsFunc(r.patches[before:], func(p recipePatch) bool { return p.file != "" })
}
