package main

import (
	"slices"

	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Marks of what is read of a review but decides nothing by itself. Those of names are one
// for each of cuts from firstName on, and then one for each of the old object.
const (
	uidMark   = 1 + iota
	stampMark // set by the API server alone: no rule of this program reads it
	firstName
)

// cuts are the texts in which reviews differ that are alike otherwise: the names of a release,
// the digest of its values, and its name in the request.
var cuts = append(slices.Clone(rules.Names), valuesPath, release.Path{"name"}, release.Path{"namespace"})

var valuesPath = release.Path{"spec", "values"}

// Indexes into cuts. What is in the request has no old counterpart.
var (
	objectName             = indexOf("metadata", "name")
	objectNamespace        = indexOf("metadata", "namespace")
	kustomizationName      = indexOf("metadata", "labels", "kustomize.toolkit.fluxcd.io/name")
	kustomizationNamespace = indexOf("metadata", "labels", "kustomize.toolkit.fluxcd.io/namespace")
	inObject               = len(rules.Names) + 1
	requestName            = inObject
	requestNamespace       = inObject + 1
)

func indexOf(path ...any) int {
	return slices.IndexFunc(rules.Names, func(name release.Path) bool { return slices.Equal(name, path) })
}

// unread are the parts of a review that no decision depends on. Of the values only
// counts whether an update changes them.
var unread = func() *slim.Node {
	request := &slim.Node{Inner: map[string]*slim.Node{
		"uid": {Mark: uidMark}, "options": {Drop: true},
		"userInfo": {Inner: map[string]*slim.Node{"extra": {Drop: true}}},
		"object":   unreadOf(firstName), "oldObject": unreadOf(firstName + len(cuts)),
	}}
	for i, path := range cuts[inObject:] {
		nodeAt(request, path).Mark = firstName + inObject + i
	}
	return &slim.Node{Inner: map[string]*slim.Node{"request": request}}
}()

// unreadOf returns the parts of an object, with marks of its names.
func unreadOf(first int) *slim.Node {
	object := &slim.Node{Inner: map[string]*slim.Node{
		"metadata": {Inner: map[string]*slim.Node{
			"managedFields": {Drop: true},
			"uid":           {Mark: stampMark}, "resourceVersion": {Mark: stampMark}, "creationTimestamp": {Mark: stampMark},
		}},
	}}
	for i, path := range cuts[:inObject] {
		nodeAt(object, path).Mark = first + i
	}
	nodeAt(object, valuesPath).Digest = true
	return object
}

// nodeAt returns the node at a path, which it makes.
func nodeAt(in *slim.Node, path release.Path) *slim.Node {
	for _, step := range path {
		key := step.(string)
		if in.Inner == nil {
			in.Inner = map[string]*slim.Node{}
		}
		if in.Inner[key] == nil {
			in.Inner[key] = &slim.Node{}
		}
		in = in.Inner[key]
	}
	return in
}
