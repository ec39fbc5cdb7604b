package flux

import (
	"bytes"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// class says what a document is to the linter.
type class int

const (
	other    class = iota
	complete       // a HelmRelease
	partial        // a patch of one
)

// classify sorts an object. A HelmRelease without a chart cannot run, so it
// patches another; so does one without a name.
func classify(object map[string]any) class {
	if !isKind(object, release.Group, "HelmRelease") {
		return other
	}
	name, _ := nested(object, "metadata", "name").(string)
	_, inline := nested(object, "spec", "chart", "spec", "chart").(string)
	_, ref := nested(object, "spec", "chartRef").(map[string]any)
	if name == "" || (!inline && !ref) {
		return partial
	}
	return complete
}

// isKind tells whether an object is of a kind, in any version of the group.
func isKind(object map[string]any, group, kind string) bool {
	apiVersion, _ := object["apiVersion"].(string)
	return object["kind"] == kind && strings.HasPrefix(apiVersion, group+"/")
}

// nested gives the value at keys below v; nil if there is none.
func nested(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// mayHoldRelease is the cheap look before a file is decoded. A ResourceSet may
// render HelmReleases or lead to some.
func mayHoldRelease(data []byte) bool {
	return bytes.Contains(data, []byte("HelmRelease")) && bytes.Contains(data, []byte(release.Group)) ||
		bytes.Contains(data, []byte(resourceSetGroup)) && bytes.Contains(data, []byte("ResourceSet")) && containsAny(data, fluxWords)
}
