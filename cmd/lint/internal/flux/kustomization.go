package flux

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
)

// kustomization is a Flux Kustomization as it is in a cluster.
type kustomization struct {
	object map[string]any
	parent *kustomization // that applies it; nil for an entry
	file   string         // of its own document; "" if it has none
	line   int
	vars   variables
	source *artifact
	dir    string // in the source
	folder bool   // a folder that is applied as it is, by no object
	runner string // the name of the cluster that it applies to
	// reasons are those of the unknown variables in the object.
	reasons map[string]string
}

// name is namespace/name, with what is unknown in it as the variable it is.
func (k *kustomization) name() string { return markers.ReplaceAllString(nameOf(k.object), "$${$1}") }

// id tells it from those of the same name in other clusters.
func (k *kustomization) id() string { return k.runner + " " + k.name() }

// chain gives the Kustomizations from this one outwards.
func (k *kustomization) chain() []*kustomization {
	var out []*kustomization
	for ; k != nil; k = k.parent {
		out = append(out, k)
	}
	return out
}

// reads tells whether it builds from a file of the tree.
func (k *kustomization) reads(rel string) bool {
	files, _ := k.source.closure(k.dir)
	return slices.ContainsFunc(files, func(name string) bool { return k.source.from[name] == rel })
}

// sameSpec compares what two Kustomizations say, however it was decoded.
func sameSpec(a, b map[string]any) bool {
	x, errX := json.Marshal(a["spec"])
	y, errY := json.Marshal(b["spec"])
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// commonMetadata adds spec.commonMetadata of the Kustomization to an object,
// as the controller does when it applies.
func commonMetadata(object, ks map[string]any) {
	common, _ := nested(ks, "spec", "commonMetadata").(map[string]any)
	meta, ok := object["metadata"].(map[string]any)
	if !ok {
		return
	}
	for _, field := range []string{"labels", "annotations"} {
		add, _ := common[field].(map[string]any)
		if len(add) == 0 {
			continue
		}
		have, _ := meta[field].(map[string]any)
		have = maps.Clone(have)
		if have == nil {
			have = map[string]any{}
		}
		maps.Copy(have, add)
		meta[field] = have
	}
}
