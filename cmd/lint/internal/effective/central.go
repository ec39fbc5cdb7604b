package effective

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"

	kustomizev1 "github.com/fluxcd/kustomize-controller/api/v1"
	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Undecided reports whether an object has none of the fields that edits set, so that
// a patch for many releases may set them.
func Undecided(obj map[string]any, edits []rules.Edit) bool {
	return !slices.ContainsFunc(edits, func(e rules.Edit) bool {
		_, written := object.Follow(obj, e.Path)
		return written || e.Value == nil || len(e.Path) < 2 || e.Path[0] != "spec"
	})
}

func nameRegexp(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	return "(" + strings.Join(quoted, "|") + ")"
}

// sameTarget compares targets of patches, without their group: the kind HelmRelease is
// enough.
func sameTarget(a, b map[string]any) bool {
	keys := slices.Concat(slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)))
	return !slices.ContainsFunc(keys, func(key string) bool { return key != "group" && a[key] != b[key] })
}

// patchDocument returns the document of an inline strategic merge patch; nil for others.
func patchDocument(site *yamledit.Document, p trace.Patch) *yamledit.Document {
	inner, ok := site.Embedded(p.At...)
	if !ok || len(inner.Documents) != 1 {
		return nil
	}
	if object, err := inner.Documents[0].Object(); err != nil || object["spec"] == nil {
		return nil
	}
	return inner.Documents[0]
}

// centralText returns the text of a patch that sets fields.
func centralText(set []rules.Edit) string {
	group, version, kind := typeOf(set)
	return "apiVersion: " + group + "/" + version + "\nkind: " + kind + "\nmetadata:\n  name: all\n" + Written(set)
}

// typeOf returns the type of the objects that edits are of.
func typeOf(set []rules.Edit) (group, version, kind string) {
	if len(set) > 0 && set[0].Object != "" {
		return kustomizev1.GroupVersion.Group, kustomizev1.GroupVersion.Version, applierKind
	}
	return release.Group, "v2", "HelmRelease"
}

// Written returns fields as they are written in an object, as YAML; "" without any. An
// item of a list is one line: "spec.valuesFrom[0].kind: Secret".
func Written(set []rules.Edit) string {
	fields := &yaml.Node{Kind: yaml.MappingNode}
	for _, e := range set {
		node, steps := fields, []any(e.Path)
		if slices.ContainsFunc(steps, func(step any) bool { _, key := step.(string); return !key }) {
			steps = []any{e.Path.String()}
		}
		for _, step := range steps {
			next := trace.Child(node, step)
			if next == nil {
				key := &yaml.Node{}
				key.SetString(step.(string))
				next = &yaml.Node{Kind: yaml.MappingNode}
				node.Content = append(node.Content, key, next)
			}
			node = next
		}
		_ = node.Encode(e.Value) // made of plain values
	}
	if len(fields.Content) == 0 {
		return ""
	}
	return encoded(fields)
}

func encoded(value any) string {
	var text bytes.Buffer
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	_ = encoder.Encode(value) // of plain values, to memory
	return text.String()
}
