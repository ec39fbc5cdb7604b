package rules

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Names are fields of a release that only name something: releases that are set alike differ
// in them. They are texts to the API.
var Names = []release.Path{
	{"metadata", "name"},
	{"metadata", "namespace"},
	{"spec", "releaseName"},
	{"spec", "targetNamespace"},
	{"spec", "chart", "spec", "chart"},
	{"spec", "chart", "spec", "version"},
	{"spec", "chart", "spec", "sourceRef", "name"},
	{"spec", "chartRef", "name"},
	{"metadata", "labels", "kustomize.toolkit.fluxcd.io/name"},
	{"metadata", "labels", "kustomize.toolkit.fluxcd.io/namespace"},
}

// NameSet is a set of [Names], a bit for each.
type NameSet uint16

// Sets of names.
const (
	ReleaseName NameSet = 1 << iota
	ReleaseNamespace
	helmName
	helmNamespace
	chartInSpecName
	chartVersion
	sourceName
	chartInRefName
	kustomizationName
	kustomizationNamespace
	// changedNames stands for all of them if an update changes one, or the target.
	changedNames
	// ChartListed is not the name of the chart but whether the law lists it, as
	// [Engine.Lists] says.
	ChartListed

	AllNames    = changedNames - 1
	ChartNames  = chartInSpecName | chartInRefName
	targetNames = ReleaseName | ReleaseNamespace | helmName | helmNamespace
)

// Has reports whether the set has the name of an index.
func (s NameSet) Has(index int) bool { return s&(1<<index) != 0 }

// NamesAt returns the name that a field is.
func NamesAt(path release.Path) NameSet { return namesWhere(path.Within) }

// NamesTouched returns the names that a field is, is in, or that are in it.
func NamesTouched(path release.Path) NameSet {
	return namesWhere(func(name release.Path) bool { return touches(path, name) })
}

func namesWhere(is func(name release.Path) bool) (out NameSet) {
	for i, name := range Names {
		if is(name) {
			out |= 1 << i
		}
	}
	return out
}

// Names returns the names that may decide what the configuration says of a release in a tier.
func (c *Config) Names() (out NameSet) {
	if len(c.Spec.Waivers.Entries) > 0 {
		out |= ReleaseName | ReleaseNamespace
	}
	if len(c.Spec.Admission.Exempt)+len(c.Spec.Controller.Overrides) > 0 {
		out |= ReleaseNamespace
	}
	return out
}

// namesIn returns the names on which the answers to some questions may depend, as long as
// each is a text of 1 to 53 characters.
func namesIn(asked []question) (out NameSet) {
	for _, q := range asked {
		out |= q.names()
	}
	return out
}

func (q question) names() NameSet {
	switch section := q.at[0]; section {
	case "object", "old":
		return q.namesBelow(q.at[1:], func(name release.Path) []any { return name })
	case "fields":
		return q.namesOfFields()
	case "effective", "flipped", "before":
		if q.how == allOfIt && len(q.at) == 1 || len(q.at) > 1 && q.at[1] == "target" && (q.how == allOfIt || len(q.at) > 2) {
			return targetNames
		}
		return 0
	case "stateful":
		return ChartListed
	case "changed":
		return changedNames
	case "texts", "typed", "controller", "schema", "prefer", "overrides", "alerting":
		return 0
	}
	return AllNames
}

// namesBelow returns the names that a question for a place shows: those there, and those below
// if it asks for all.
func (q question) namesBelow(place []any, of func(release.Path) []any) (out NameSet) {
	for i, name := range Names {
		if at := of(name); begins(place, at) || q.how == allOfIt && begins(at, place) {
			out |= 1 << i
		}
	}
	return out
}

// begins reports whether a path begins with another one.
func begins(path, with []any) bool {
	return len(path) >= len(with) && slices.Equal(path[:len(with)], with)
}

// namesOfFields is names of a question for fields.
func (q question) namesOfFields() (out NameSet) {
	if len(q.at) < 3 && q.how != allOfIt {
		return 0 // which there are, and how many
	}
	var field string
	if len(q.at) > 1 {
		field, _ = q.at[1].(string)
	}
	for i, name := range Names {
		if name[0] != "spec" {
			continue
		}
		at := fieldName(name)
		whole := at == field || len(q.at) == 1
		if inside := field == "" || strings.HasPrefix(at, field+"."); whole || inside && (q.how == allOfIt || len(q.at) > 4) {
			out |= 1 << i
		}
	}
	return out
}

// fieldName returns the name of a field of spec.
func fieldName(path release.Path) string {
	name := ""
	for _, step := range path[1:] {
		name = joined(name, step.(string))
	}
	return name
}

// namesOf returns the names that something that was said of a release depends on.
func (t told) namesOf(r *release.Release) NameSet {
	if t.names&changedNames == 0 {
		return t.names
	}
	changes := func(field release.Path) bool { return differs(r, field) }
	// A target has a field that is no name, but stands for one that is: the storage namespace.
	if r.Old != nil && (slices.ContainsFunc(Names, changes) || slices.ContainsFunc(targetFields, changes)) {
		return AllNames
	}
	return t.names &^ changedNames
}
