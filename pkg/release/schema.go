package release

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Schema is what the API server of a cluster accepts of a HelmRelease, as its
// CustomResourceDefinition says. It is not changed once it is made.
type Schema struct {
	// From names for people what holds the definition: its file.
	From string
	// Versions are the versions of the API that are served, by name.
	Versions map[string]SchemaVersion
	digest   string
}

// SchemaVersion is what a version of the API says of the fields below spec, by their names:
// keys joined by dots, * for the items of a list, empty for spec itself.
type SchemaVersion struct {
	// Limited are the fields of which it says more than a type that Go knows.
	Limited map[string]SchemaField `json:"limited"`
	// Plain are the other ones.
	Plain map[string]SchemaField `json:"plain"`
	// Expressions are the checks in CEL of each field that has some.
	Expressions map[string][]string `json:"expressions"`
}

// SchemaField is what a schema says of one field.
type SchemaField struct {
	// Type is boolean, string, integer, array or object as in JSON; or duration, a string of
	// numbers with units; strings, an object with a string for each key; else any.
	Type     string   `json:"type"`
	Required []string `json:"required,omitempty"` // keys
	Enum     []string `json:"enum,omitempty"`
	Min      int      `json:"min,omitempty"` // letters
	Max      int      `json:"max,omitempty"` // letters; 0 without a limit
	Pattern  string   `json:"pattern,omitempty"`
}

// NewSchema returns the schema in which each version of the API has some fields and
// expressions.
func NewSchema(from string, fields map[string]map[string]SchemaField, expressions map[string]map[string][]string) *Schema {
	s := &Schema{From: from, Versions: map[string]SchemaVersion{}}
	for version, all := range fields {
		v := SchemaVersion{Limited: map[string]SchemaField{}, Plain: map[string]SchemaField{}, Expressions: expressions[version]}
		for name, field := range all {
			v.add(name, field.readable())
		}
		s.Versions[version] = v
	}
	content, _ := json.Marshal(s) // of texts and numbers
	sum := sha256.Sum256(content)
	s.digest = hex.EncodeToString(sum[:])
	return s
}

// Digest returns a text that is equal only for equal schemas; empty without one.
func (s *Schema) Digest() string {
	if s == nil {
		return ""
	}
	return s.digest
}

// field returns what the schema says of the field at a path of an object, and whether it has it.
func (s *Schema) field(object map[string]any, at Path) (field SchemaField, ok bool) {
	apiVersion, _ := object["apiVersion"].(string)
	v, name := s.Versions[strings.TrimPrefix(apiVersion, Group+"/")], fieldName(at)
	if field, ok = v.Limited[name]; !ok {
		field, ok = v.Plain[name]
	}
	return field, ok
}

// fieldName returns the name of the field at a path, as in a [SchemaVersion].
func fieldName(at Path) string {
	var steps []string
	for _, step := range at[1:] {
		key, ok := step.(string)
		if !ok {
			key = "*"
		}
		steps = append(steps, key)
	}
	return strings.Join(steps, ".")
}

// takes reports whether the schema has the field at a path of an object, and takes a text
// that is written there.
func (s *Schema) takes(object map[string]any, at Path) bool {
	if field, ok := s.field(object, at); ok {
		text, isText := at.In(object).(string)
		return !isText || field.Enum == nil || slices.Contains(field.Enum, text)
	}
	for n := len(at) - 1; n > 0; n-- {
		if above, ok := s.field(object, at[:n]); ok {
			return above.Type == "any"
		}
	}
	return false
}

// durationPattern is the one of every duration in the API.
const durationPattern = `^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`

// readable returns a field without what is not known here of a schema: then it may be
// anything, and the pattern of a duration that is not the known one counts as it is.
func (f SchemaField) readable() SchemaField {
	if f.Type == "duration" {
		if f.Pattern == durationPattern {
			f.Pattern = ""
		} else {
			f.Type = "string"
		}
	}
	if !slices.Contains([]string{"boolean", "string", "integer", "array", "object", "duration", "strings"}, f.Type) {
		f = SchemaField{Type: "any"}
	}
	if _, err := regexp.Compile(f.Pattern); err != nil {
		f.Pattern = ""
	}
	return f
}

func (v *SchemaVersion) add(name string, field SchemaField) {
	bare := reflect.DeepEqual(field, SchemaField{Type: field.Type})
	if bare && field.Type != "duration" && !strings.HasSuffix(name, "*") && field.Type == goType(name) {
		v.Plain[name] = field
		return
	}
	v.Limited[name] = field
}

// goType returns the type, as of a [SchemaField], that the linked Go types have for a field
// by its name; empty if they have no such field.
func goType(name string) string {
	of := reflect.TypeFor[helmv2.HelmReleaseSpec]()
	for step := range strings.SplitSeq(name, ".") {
		if of = inner(of, step); of == nil {
			return ""
		}
	}
	switch {
	case of == durationType:
		return "duration"
	case of == reflect.TypeFor[apiextensionsv1.JSON]():
		return "any"
	}
	return map[reflect.Kind]string{
		reflect.Bool: "boolean", reflect.String: "string", reflect.Int: "integer", reflect.Int32: "integer", reflect.Int64: "integer",
		reflect.Slice: "array", reflect.Map: "strings", reflect.Struct: "object",
	}[of.Kind()]
}

// inner returns the type of a field of a struct, or of the items of a list for *; without
// the pointer to it, and nil if there is none.
func inner(of reflect.Type, step string) (found reflect.Type) {
	switch {
	case step == "*" && of.Kind() == reflect.Slice:
		found = of.Elem()
	case of.Kind() == reflect.Struct:
		for _, f := range reflect.VisibleFields(of) {
			if key, _, _ := strings.Cut(f.Tag.Get("json"), ","); key == step {
				found = f.Type
			}
		}
	}
	for found != nil && found.Kind() == reflect.Pointer {
		found = found.Elem()
	}
	return found
}

// Group is the API group of HelmRelease.
const Group = "helm.toolkit.fluxcd.io"

// Versions are the API versions of HelmRelease that can be judged, the newest
// first.
var Versions = []string{"v2", "v2beta2", "v2beta1"}
