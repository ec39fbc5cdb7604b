package object

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// metadataFields are those of the metadata of every object. Source: ObjectMeta of k8s.io/apimachinery.
var metadataFields = []string{
	"name", "generateName", "namespace", "labels", "annotations", "finalizers", "ownerReferences", "selfLink", "uid", "resourceVersion",
	"generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields",
}

// RefusedMetadata returns what the API server does not take in the metadata of an object; "" if it
// takes all. A text that is open, which is one that is still to be made, is not checked. Names are those of
// an [Identity]. Source: ValidateObjectMeta of k8s.io/apimachinery.
func RefusedMetadata(metadata any, open func(text string) bool) string {
	fields, _ := metadata.(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		value, why := fields[field], ""
		switch {
		case value == nil || open(field):
		case !slices.Contains(metadataFields, field):
			why = "which there is not"
		case field == "labels":
			if lostLabel(value) == "" {
				why = refusedTexts(value, open, validation.IsValidLabelValue)
			}
		case field == "annotations":
			why = refusedTexts(value, open, func(string) []string { return nil })
		case field == "finalizers":
			why = refusedFinalizers(value, open)
		case field == "ownerReferences":
			why = refusedOwners(value)
		}
		if why != "" {
			return "metadata." + field + ", " + why
		}
	}
	return ""
}

// LoseLabels takes all labels from an object if one of them is no text, and returns the key of that; "" if
// all are texts. So does Flux when it adds its own labels to what it applies, without a word.
// Source: SetOwnerLabels of github.com/fluxcd/pkg/ssa, by GetLabels of k8s.io/apimachinery's Unstructured.
func LoseLabels(object map[string]any) string {
	key := lostLabel(At(object, "metadata", "labels"))
	if metadata, ok := object["metadata"].(map[string]any); ok && key != "" {
		delete(metadata, "labels")
	}
	return key
}

func lostLabel(of any) string {
	labels, _ := of.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(labels)) {
		if _, isText := labels[key].(string); !isText && labels[key] != nil {
			return key
		}
	}
	return ""
}

// maxAnnotations is the size in bytes of all annotations that the API server takes.
const maxAnnotations = 256 << 10

func refusedTexts(of any, open func(string) bool, wrong func(string) []string) string {
	texts, ok := of.(map[string]any)
	if !ok {
		return "which is no object"
	}
	size := 0
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		text, isText := texts[key].(string)
		size += len(key) + len(text)
		switch {
		case open(key) || open(text) || texts[key] == nil:
		case len(validation.IsQualifiedName(strings.ToLower(key))) > 0:
			return fmt.Sprintf("in which %q is no valid key", key)
		case !isText:
			return fmt.Sprintf("in which %s is no text: put its value in quotes", key)
		case len(wrong(text)) > 0:
			return fmt.Sprintf("in which %s has a value that is not valid", key)
		}
	}
	if size > maxAnnotations {
		return "which are too large"
	}
	return ""
}

func refusedFinalizers(of any, open func(string) bool) string {
	list, ok := of.([]any)
	if !ok {
		return "which is no list"
	}
	for _, item := range list {
		if text, ok := item.(string); !ok || !open(text) && len(validation.IsQualifiedName(text)) > 0 {
			return "which has an item that is not valid"
		}
	}
	return ""
}

func refusedOwners(of any) string {
	list, ok := of.([]any)
	if !ok {
		return "which is no list"
	}
	for _, item := range list {
		for _, field := range []string{"apiVersion", "kind", "name", "uid"} {
			if String(item, field) == "" {
				return "which has an item without " + field
			}
		}
	}
	return ""
}
