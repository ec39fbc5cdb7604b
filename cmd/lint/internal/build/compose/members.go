package compose

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
)

// member is an object of a build that is being composed.
type member struct {
	unit
	former []resid.ResId
	taken  *taken
}

// taken is what a build takes from an origin at one place, with what is done to it there.
type taken struct {
	*origin
	steps []*step
	alone bool // it is not certain what becomes of it, so kustomize builds it
}

// note records something that is done to it.
func (t *taken) note(s *step) {
	if n := len(t.steps); n == 0 || t.steps[n-1] != s {
		t.steps = append(t.steps, s)
	}
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
	var from *taken
	for _, u := range units {
		if from == nil || from.origin != u.from {
			from = &taken{origin: u.from, alone: u.object == nil}
		}
		if !m.append(&member{unit: u, taken: from}) {
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
	moves := &step{map[string]any{"namespace": namespace}}
	for _, one := range m.list {
		one.taken.note(moves)
		one.move(namespace)
		if !m.take(one) {
			return false
		}
	}
	return true
}

// label sets labels of all members, and reports whether it is certain what becomes of them. Kustomize sets those
// of kinds that it knows in more places than one.
func (m *members) label(l labeling) bool {
	for _, one := range m.list {
		if len(l.pairs) == 0 {
			break
		}
		one.taken.note(l.done)
		one.taken.alone = one.taken.alone || one.sound != nil
		if one.taken.alone && one.taken.names != nil {
			return false
		}
		if !one.taken.alone {
			one.label(l.pairs)
		}
	}
	return true
}

func (m *member) label(labels map[string]string) {
	metadata := maps.Clone(m.object["metadata"].(map[string]any))
	before, _ := metadata["labels"].(map[string]any)
	all := make(map[string]any, len(before)+len(labels))
	maps.Copy(all, before)
	for key, value := range labels {
		all[key] = value
		m.dollar = m.dollar || strings.Contains(key+value, "$")
	}
	metadata["labels"] = all
	m.object = maps.Clone(m.object)
	m.object["metadata"] = metadata
}

func (m *member) move(namespace string) {
	m.former = append(slices.Clip(m.former), former(m.id))
	named, placed := m.id.Kind == "Namespace" && m.id.Group == "", !m.id.IsClusterScoped()
	if named {
		m.id.Name = namespace
	}
	if placed {
		m.id.Namespace = namespace
	}
	if m.object == nil {
		return
	}
	metadata := maps.Clone(m.object["metadata"].(map[string]any))
	if named {
		metadata["name"] = namespace
	}
	if placed {
		metadata["namespace"] = namespace
	}
	m.object = maps.Clone(m.object)
	m.object["metadata"] = metadata
}

// former returns an id as kustomize remembers it once it has changed.
func former(id resid.ResId) resid.ResId {
	id.Namespace = id.EffectiveNamespace()
	return id
}

// outcomes returns what becomes of the members, and reports whether it is certain.
func (m *members) outcomes(substitutes bool) ([]resource.Outcome, bool) {
	if m.renames() {
		return nil, false
	}
	var out []resource.Outcome
	for _, one := range m.list {
		o, ok := one.outcome(substitutes)
		if !ok || o.ID != one.id {
			return nil, false
		}
		out = append(out, o)
	}
	return out, true
}

// renames reports whether the suffix of a generated name may be written into an object that
// matters.
func (m *members) renames() bool {
	generated := func(one *member) bool { return one.taken.names != nil }
	refers := func(one *member) bool {
		return one.id.Kind == "Deployment" && resource.IsController(one.id.Name)
	}
	return slices.ContainsFunc(m.list, generated) && slices.ContainsFunc(m.list, refers)
}

// outcome returns what becomes of a member, and reports whether it is certain.
func (m *member) outcome(substitutes bool) (resource.Outcome, bool) {
	if m.taken.alone {
		all := m.taken.after(m.taken.steps)
		if m.nth >= len(all) {
			return resource.Outcome{}, false
		}
		return all[m.nth], true
	}
	return resource.PlainOutcome(m.id, resource.Plain{Object: m.object, Dollar: m.dollar}, substitutes), true
}

// areSound reports whether kustomize has nothing against any of the objects of which it
// knows more: those that refer to others have a shape in which it finds the names.
func (m *members) areSound() bool {
	for _, one := range m.list {
		if one.taken.alone {
			continue // kustomize builds it as it is
		}
		if one.sound != nil && !one.sound.of(one.object) {
			return false
		}
	}
	return true
}
