package policy

import (
	"regexp"
	"strings"
	"sync"
)

// substituteFrom is the field of a Flux Kustomization that names objects with variables.
const substituteFrom = "substituteFrom"

// readVariables notes the objects that a file names to substitute variables from: all names in it if it cannot be read.
func (n *names) readVariables(data []byte) {
	if mistakeIn(data) > 0 {
		n.addNames(string(data))
		return
	}
	for _, o := range objectsOf(data) {
		n.addVariables(o, false)
	}
}

// addVariables notes the names in what is written of the field: as a key, as the path of a JSON patch, or in the text of
// a patch. Inside says that all names count.
func (n *names) addVariables(value any, inside bool) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, substituteFrom) {
			n.addNames(value)
		}
	case []any:
		for _, item := range value {
			n.addVariables(item, inside)
		}
	case map[string]any:
		at, _ := value["path"].(string)
		inside = inside || strings.Contains(at, substituteFrom)
		for key, item := range value {
			if name, is := item.(string); is && inside && key == "name" {
				n.variables[name] = true
			}
			n.addVariables(item, inside || key == substituteFrom)
		}
	}
}

// addNames notes all names in a text.
func (n *names) addNames(text string) {
	for _, m := range nameField().FindAllStringSubmatch(text, -1) {
		n.variables[m[1]] = true
	}
}

// nameField matches the name of an object in YAML, or what stands for one: an alias, a variable, a block.
var nameField = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`\bname["']?\s*:\s*(?:&\S+\s+)?["']?([^\s"',}]+)`)
})

// isVariables reports whether variables may be substituted from an object of a name, which may get a prefix.
func (n *names) isVariables(name string) bool {
	for known := range n.variables {
		if strings.Trim(known, "-._"+alphanumeric) != "" || strings.Contains(known, name) {
			return true
		}
	}
	return strings.Contains(name, "$") && len(n.variables) > 0
}

const alphanumeric = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
