package build

import (
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// member is an object of a build that is being composed.
type member struct {
	unit
	former []resid.ResId
}

// members are the objects of a build, no two of one id.
type members struct {
	list []*member
	ids  map[memberID]bool
	// names are those of the objects that others may refer to, without their namespaces.
	names map[[2]string]bool
}

type memberID struct{ group, version, kind, namespace, name string }

func idOf(id resid.ResId) memberID {
	return memberID{id.Group, id.Version, id.Kind, id.EffectiveNamespace(), id.Name}
}

func newMembers() *members { return &members{ids: map[memberID]bool{}, names: map[[2]string]bool{}} }

// add adds objects, and reports whether none of them was there already.
func (m *members) add(units []unit) bool {
	for _, u := range units {
		if !m.append(&member{unit: u}) {
			return false
		}
	}
	return true
}

// addAll adds the objects of others, which must not be used any more.
func (m *members) addAll(others *members) bool {
	for _, one := range others.list {
		if !m.append(one) {
			return false
		}
	}
	return true
}

func (m *members) append(one *member) bool {
	m.list = append(m.list, one)
	return m.take(one)
}

// take records the id of a member, and reports whether no other one has it, or a name by
// which kustomize may confuse them.
func (m *members) take(one *member) bool {
	id := idOf(one.id)
	known := m.ids[id]
	m.ids[id] = true
	if one.sound != nil || one.id.Group == "" {
		name := [2]string{one.id.Kind, one.id.Name}
		known, m.names[name] = known || m.names[name], true
	}
	return !known
}

// move sets the namespace of all members, as kustomize does.
func (m *members) move(namespace string) bool {
	m.ids, m.names = map[memberID]bool{}, map[[2]string]bool{}
	for _, one := range m.list {
		one.former = append(slices.Clip(one.former), former(one.id))
		metadata := maps.Clone(one.object["metadata"].(map[string]any))
		if one.id.Kind == "Namespace" && one.id.Group == "" {
			metadata["name"], one.id.Name = namespace, namespace
		}
		if !one.id.IsClusterScoped() {
			metadata["namespace"], one.id.Namespace = namespace, namespace
		}
		one.object = maps.Clone(one.object)
		one.object["metadata"] = metadata
		if !m.take(one) {
			return false
		}
	}
	return true
}

// former returns an id as kustomize remembers it once it has changed.
func former(id resid.ResId) resid.ResId {
	id.Namespace = id.EffectiveNamespace()
	return id
}

// result returns the members as the result of a build.
func (m *members) result(substitutes bool) *Result {
	out := &Result{}
	for _, one := range m.list {
		r := &Resource{Kind: one.id.Kind, Name: one.id.Name, Namespace: object.Namespace(one.object), plain: one.object, dollar: one.dollar}
		if text := describeForeign(one.id.Group, r.Kind, r.Name, object.String(one.object, "apiVersion")); text != "" {
			out.Foreign = append(out.Foreign, text)
		}
		if !isIrrelevant(r.Kind, one.id.Group, r.Name, object.String(one.object, "apiVersion"), r.dataSize) {
			out.Resources = append(out.Resources, r)
		} else if substitutes && one.dollar {
			if over := r.needs(); len(over.Needs) > 0 || over.Err != nil {
				out.PassedOver = append(out.PassedOver, over)
			}
		}
	}
	return out
}

// dataSize returns the size of the texts in data.
func (r *Resource) dataSize() int {
	size := 0
	data, _ := r.plain["data"].(map[string]any)
	for _, value := range data {
		text, _ := value.(string)
		size += len(text)
	}
	return size
}
