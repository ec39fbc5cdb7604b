package policy

import (
	"bytes"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// names are what the files of both sides name that kustomize or Flux read as something else than objects.
type names struct {
	named     map[string]bool     // base names of files that a kustomization.yaml names outside of its resources
	generated map[string][]string // by the base name of a file, the names of what is generated of it
	variables map[string]bool     // names of ConfigMaps and Secrets that Flux Kustomizations substitute from
}

// readNames notes what a file names: the files that a kustomization.yaml reads as anything but
// resources, those that a transformer reads, and, by their names in its text, objects that variables are
// substituted from.
func (n *names) readNames(file *tree.File) {
	data, _ := file.Data()
	if bytes.Contains(data, []byte(substituteFrom)) && (isKustomizeFile(file.Name()) || isManifest(file.Name())) {
		n.readVariables(data)
	}
	if isKustomizeFile(file.Name()) {
		readable, _ := withoutMistakes(file)
		n.addNamed(first(readable))
		return
	}
	if !isManifest(file.Name()) {
		return
	}
	if bytes.Contains(data, []byte("builtin")) {
		for _, o := range objectsOf(data) {
			n.addNamed(o)
		}
	}
}

func (n *names) addNamed(kustomization map[string]any) {
	for key, value := range kustomization {
		switch key {
		case "resources", "components":
		case "configMapGenerator", "secretGenerator":
			all, _ := value.([]any)
			for _, of := range all {
				texts(of, func(text string) {
					n.generated[fileIn(text)] = append(n.generated[fileIn(text)], object.String(of, "name"))
				})
			}
		default:
			texts(value, func(text string) { n.named[fileIn(text)] = true })
		}
	}
}

// fileIn returns the base name of FILE or KEY=FILE.
func fileIn(text string) string { return path.Base(text[strings.LastIndex(text, "=")+1:]) }

// texts calls a function with all strings in a value.
func texts(value any, each func(string)) {
	switch value := value.(type) {
	case string:
		each(value)
	case []any:
		for _, item := range value {
			texts(item, each)
		}
	case map[string]any:
		for _, item := range value {
			texts(item, each)
		}
	}
}
