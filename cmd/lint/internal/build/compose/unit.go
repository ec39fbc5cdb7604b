package compose

import (
	"regexp"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// unit is an object in a file or a patch. It is shared.
type unit struct {
	id     resid.ResId
	object map[string]any // nil if it is not certain what kustomize reads
	dollar bool
	sound  *soundness // nil for what kustomize knows nothing about

	from *origin // nil in a patch
	nth  int     // of its origin
	text []byte  // in a patch
}

var (
	// schemaComment finds comments in which kustomize may find a schema. Those for Flux's image automation
	// say nothing to it.
	schemaComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#\s*\{`) })
	imageComment  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#[ \t]*\{"\$imagepolicy":[ \t]*"[\w.:-]*"\}`) })
	// apart finds comments with an empty line between them.
	apart = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`#[^\n]*\n(?:[ \t]*\n)+[ \t]*#`) })
)

// isOrdinary reports whether kustomize splits a text as package yamledit does.
func isOrdinary(text string) bool {
	if strings.ContainsAny(text, "\r\x00\ufeff\u0085\u2028\u2029") {
		return false
	}
	for line := range strings.Lines(text) {
		rest, marker := strings.CutPrefix(line, "---")
		rest = strings.TrimSpace(rest)
		if marker && rest != "" && rest[0] != '#' || strings.HasPrefix(line, "...") || strings.HasPrefix(line, "%") {
			return false
		}
	}
	return true
}

// documentsOf splits a text into its documents, without those that hold nothing; nil if it is not certain that
// kustomize does so.
func documentsOf(text string) []string {
	if !isOrdinary(text) {
		return nil
	}
	var out []string
	start, at, holds := 0, 0, false
	end := func() {
		if holds {
			out = append(out, text[start:at])
		}
		start, holds = at, false
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "---") {
			end()
		} else if rest := strings.TrimSpace(line); rest != "" && rest[0] != '#' {
			holds = true
		}
		at += len(line)
	}
	end()
	return out
}

// mayHaveSchema reports whether kustomize may find a schema in the comments of a text.
func mayHaveSchema(text string) bool {
	return schemaComment().MatchString(text) && schemaComment().MatchString(imageComment().ReplaceAllLiteralString(text, "#"))
}

// unitsOf returns the objects in a text, as read reads each of them; nil if it is not certain that kustomize
// reads the same.
func unitsOf(text string, read func(*yamledit.Document) (unit, bool)) []unit {
	if !isOrdinary(text) || mayHaveSchema(text) || kustomize.CheckAliases([]byte(text)) != nil {
		return nil
	}
	file, err := yamledit.Parse("", []byte(text))
	if err != nil {
		return nil
	}
	out := []unit{}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			return nil
		}
		if doc.Root() == nil || doc.Root().Tag == "!!null" {
			continue
		}
		one, ok := read(doc)
		if !ok {
			return nil
		}
		out = append(out, one)
	}
	return out
}

func unitOf(doc *yamledit.Document) (unit, bool) {
	node := doc.Root()
	if apart().Match(doc.Source()) { // those are read another way
		nodes, ok := trace.Nodes(doc.Source())
		if !ok || len(nodes) != 1 {
			return unit{}, false
		}
		node = trace.Root(nodes[0])
	}
	u, ok := unitIn(node)
	u.text = doc.Source()
	return u, ok
}

func unitIn(node *yaml.Node) (unit, bool) {
	p := resource.PlainOf(node)
	if p.Object == nil || !isComposable(p.Object) {
		return unit{}, false
	}
	group, version := resid.ParseGroupVersion(object.String(p.Object, "apiVersion"))
	gvk := resid.NewGvk(group, version, object.String(p.Object, "kind"))
	u := unit{id: resid.NewResIdWithNamespace(gvk, object.Name(p.Object), object.Namespace(p.Object)), object: p.Object, dollar: p.Dollar}
	if !isForeign(group, u.id.Kind) {
		u.sound = &soundness{}
	}
	return u, true
}

// isComposable reports whether nothing in the type and the metadata of an object is
// anything that kustomize changes or minds.
func isComposable(obj map[string]any) bool {
	apiVersion, kind := object.String(obj, "apiVersion"), object.String(obj, "kind")
	if _, version := resid.ParseGroupVersion(apiVersion); version == "" {
		return false
	}
	if strings.HasSuffix(kind, "List") || !yamledit.IsName(kind) || strings.ContainsAny(apiVersion+kind, "${}[] ") {
		return false
	}
	metadata, _ := obj["metadata"].(map[string]any)
	namespace, namespaced := metadata["namespace"]
	if value, written := metadata["annotations"]; written && value == nil {
		return false
	}
	return yamledit.IsName(object.String(metadata, "name")) && (!namespaced || yamledit.IsName(object.String(metadata, "namespace")) && namespace != "") &&
		isOwn(metadata["labels"]) && isOwn(metadata["annotations"]) && hasTexts(obj, kind)
}

// isOwn reports whether labels or annotations are texts, and none is one of kustomize.
func isOwn(value any) bool {
	fields, ok := value.(map[string]any)
	if value == nil {
		return true
	}
	for key, value := range fields {
		if _, isText := value.(string); !isText || strings.Contains(key, "config.k") {
			return false
		}
	}
	return ok && len(fields) > 0
}

// hasTexts reports whether data, if the object is one of those that hold variables, has
// nothing but texts.
func hasTexts(obj map[string]any, kind string) bool {
	data, ok := obj["data"].(map[string]any)
	if kind != "ConfigMap" && kind != "Secret" || obj["data"] == nil {
		return true
	}
	for _, value := range data {
		if _, isText := value.(string); !isText {
			return false
		}
	}
	return ok
}
