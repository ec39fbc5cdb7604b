package compose

import (
	"errors"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"
	kyaml "sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// patch is a patch.
type patch struct {
	text       string
	units      []unit          // of a strategic merge patch
	operations jsonpatch.Patch // otherwise; both are empty if it is not certain what it does
	target     *kustypes.Selector
	chosen     *kustypes.SelectorRegex
}

func newPatch(text string, target *kustypes.Selector) *patch {
	p := &patch{text: text, target: target}
	if target == nil {
		p.units = unitsOf(text, patchOf)
		return p
	}
	p.units = unitsOf(text, unitOf)
	if slices.ContainsFunc(p.units, func(u unit) bool { return hasDirective(u.object) }) {
		p.units = nil
	}
	chosen, err := kustypes.NewSelectorRegex(target)
	_, valid := p.selectsLabels(map[string]any{})
	if err != nil || !valid || len(p.units) > 1 {
		p.units = nil
		return p
	}
	if p.chosen = chosen; len(p.units) == 0 {
		p.operations = operationsOf(text)
	}
	return p
}

// patchOf returns the object that a document patches: with what it says of it, or without, if it is not certain
// what kustomize reads. Then kustomize builds alone what is patched.
func patchOf(doc *yamledit.Document) (unit, bool) {
	if u, ok := unitOf(doc); ok {
		return u, !hasDirective(u.object)
	}
	node := doc.Root()
	if node.Kind != yaml.MappingNode {
		return unit{}, false
	}
	named := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if slices.Contains([]string{"apiVersion", "kind", "metadata"}, node.Content[i].Value) {
			named.Content = append(named.Content, node.Content[i], node.Content[i+1])
		}
	}
	u, ok := unitIn(named)
	u.object, u.text = nil, doc.Source()
	return u, ok
}

// hasDirective reports whether a key is one for kustomize, such as $patch.
func hasDirective(value any) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if strings.HasPrefix(key, "$") || hasDirective(inner) {
				return true
			}
		}
	case []any:
		for _, inner := range value {
			if hasDirective(inner) {
				return true
			}
		}
	}
	return false
}

// apply patches members, and reports whether it is certain of what becomes of them.
func (p *patch) apply(members *members) bool {
	if p.target != nil {
		done := p.step(p.text)
		return p.chosen != nil && p.keepsIDs() && !slices.ContainsFunc(members.list, func(one *member) bool {
			return p.selects(one) && !p.change(one, p.units, done)
		})
	}
	for i, u := range p.units {
		found := members.find(u.id)
		if found == nil || !p.change(found, p.units[i:i+1], p.step(string(u.text))) {
			return false
		}
	}
	return len(p.units) > 0
}

// keepsIDs reports whether kustomize surely takes a patch, even if it has no target, and the ids
// of its targets stay, by which later patches find them.
func (p *patch) keepsIDs() bool {
	return len(p.units) > 0 || len(p.operations) > 0 && !slices.ContainsFunc(p.operations, changesID)
}

// change patches one member, which is built alone if it is not certain what becomes of it.
func (p *patch) change(one *member, units []unit, done *step) bool {
	one.taken.note(done)
	if one.taken.alone = one.taken.alone || !one.merges(units) && !one.operate(p.operations); one.taken.alone {
		return one.taken.names == nil && !strings.Contains(p.text, ownKeys)
	}
	return true
}

// step returns what a kustomization.yaml says of a patch, or of one of many in its text.
func (p *patch) step(text string) *step {
	entry := map[string]any{"patch": text}
	if p.target != nil {
		entry["target"] = p.target
	}
	return &step{map[string]any{"patches": []any{entry}}}
}

// find returns the one member that has, or had, an id; nil if it is not exactly one.
func (m *members) find(id resid.ResId) *member {
	var found *member
	for _, one := range m.list {
		is := id.Equals(one.id)
		for _, former := range one.former {
			is = is || id.Equals(former)
		}
		if is && found != nil {
			return nil
		}
		if is {
			found = one
		}
	}
	return found
}

// selects reports whether a member is a target.
func (p *patch) selects(one *member) bool {
	first := one.id
	if len(one.former) > 0 {
		first = one.former[0]
	}
	return (p.chosen.MatchNamespace(first.EffectiveNamespace()) || p.chosen.MatchNamespace(one.id.EffectiveNamespace())) &&
		(p.chosen.MatchName(first.Name) || p.chosen.MatchName(one.id.Name)) && p.chosen.MatchGvk(one.id.Gvk) && p.mayFit(one)
}

// mayFit reports whether the labels and annotations of a member are those of a target. Of what is built alone,
// kustomize asks that itself.
func (p *patch) mayFit(one *member) bool {
	if one.taken.alone {
		return true
	}
	metadata, _ := one.object["metadata"].(map[string]any)
	fits, _ := p.selectsLabels(metadata)
	return fits
}

// selectsLabels reports whether labels and annotations are those of a target, and whether kustomize takes its
// selectors. It sees annotations of its own, too.
func (p *patch) selectsLabels(metadata map[string]any) (fits, valid bool) {
	if p.target.LabelSelector+p.target.AnnotationSelector == "" {
		return true, true
	}
	node := kyaml.NewMapRNode(nil)
	set := func(field string, to func(map[string]string) error) error {
		texts := map[string]string{}
		fields, _ := metadata[field].(map[string]any)
		for key, value := range fields {
			texts[key], _ = value.(string)
		}
		return to(texts)
	}
	err1, err2 := set("labels", node.SetLabels), set("annotations", node.SetAnnotations)
	labels, err3 := node.MatchesLabelSelector(p.target.LabelSelector)
	annotations, err4 := node.MatchesAnnotationSelector(p.target.AnnotationSelector)
	valid = errors.Join(err1, err2, err3, err4) == nil && !strings.Contains(p.target.LabelSelector+p.target.AnnotationSelector, ownKeys)
	return labels && annotations, valid
}

// missing returns the id of the first target that is not there, or there more than once; "" if none is.
func (p *patch) missing(members *members) string {
	for _, u := range p.units {
		if p.target == nil && members.find(u.id) == nil {
			return u.id.String()
		}
	}
	return ""
}

// merges patches an object by a merge patch, and reports whether it is certain what becomes of
// it. It keeps its type and its name.
func (m *member) merges(patch []unit) bool {
	if len(patch) != 1 {
		return false
	}
	p := patch[0]
	if p.object == nil || m.sound != nil || m.id.Group == "" && hasList(p.object) || m.id.Kind != p.id.Kind { // of a kind with a schema
		return false
	}
	merged, ok := merge(m.object, p.object)
	if !ok {
		return false
	}
	metadata := maps.Clone(merged["metadata"].(map[string]any))
	for _, field := range []string{"name", "namespace"} {
		if value, ok := object.At(m.object, "metadata", field).(string); ok {
			metadata[field] = value
		} else {
			delete(metadata, field)
		}
	}
	merged["apiVersion"], merged["kind"], merged["metadata"] = m.object["apiVersion"], m.object["kind"], metadata
	if !isComposable(merged) {
		return false
	}
	m.object, m.dollar = merged, m.dollar || p.dollar
	return true
}

// hasList reports whether there is a list in a value: how two of them are merged, a schema says.
func hasList(value any) bool {
	if fields, ok := value.(map[string]any); ok {
		return slices.ContainsFunc(slices.Collect(maps.Values(fields)), hasList)
	}
	_, isList := value.([]any)
	return isList
}

// merge returns what becomes of an object by a merge patch. It shares what stays.
func merge(into, p map[string]any) (map[string]any, bool) {
	out := maps.Clone(into)
	for key, value := range p {
		old, has := into[key]
		if value == nil {
			delete(out, key)
			continue
		}
		if !has || old == nil {
			out[key] = withoutNulls(value)
			continue
		}
		before, isMap := old.(map[string]any)
		patch, _ := value.(map[string]any)
		switch {
		case reflect.TypeOf(old) != reflect.TypeOf(value):
			return nil, false // kustomize refuses it, or keeps the quotes of a scalar
		case isMap:
			merged, ok := merge(before, patch)
			if !ok {
				return nil, false
			}
			out[key] = merged
		default:
			out[key] = value
		}
	}
	return out, true
}

// withoutNulls returns a value that is new in an object: its nulls are not set.
func withoutNulls(value any) any {
	fields, ok := value.(map[string]any)
	if !ok {
		return value
	}
	out := make(map[string]any, len(fields))
	for key, inner := range fields {
		if inner != nil {
			out[key] = withoutNulls(inner)
		}
	}
	return out
}
