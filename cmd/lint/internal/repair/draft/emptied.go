package draft

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// dropEmptied removes the patches from which edits have removed everything. That comes after
// all edits, the last of a list first: items that go move those behind them. A patch in a file
// of its own must stay: no edit removes a file, and what takes it may be any other.
func (f *Files) dropEmptied(edits []effective.Edit) error {
	var drops []effective.Edit
	for _, edit := range edits {
		if edit.Value != nil {
			continue
		}
		abs, err := filepath.Abs(edit.File)
		if err != nil {
			return err
		}
		if len(edit.At) < 2 {
			if file, err := yamledit.Parse(edit.File, f.files[abs].new); err == nil && patchesNothing(file) {
				return fmt.Errorf("the patch in %s would have nothing left: remove the file and what names it instead", edit.File)
			}
			continue
		}
		patch := edit.At[:len(edit.At)-1]
		at, inList := patch.Item()
		if text, ok := yamledit.Text(f.files[abs].new, patch); inList && ok && patchesNothing(text) {
			drops = append(drops, effective.Edit{File: abs, At: at})
		}
	}
	for _, drop := range ordered(drops) {
		changed := *f.files[drop.File]
		var err error
		if changed.new, err = yamledit.DropAt(changed.new, drop.At); err != nil {
			return err
		}
		f.files[drop.File] = &changed
	}
	return nil
}

// patchesNothing reports whether a patch has no operation, and no field beside those that
// name what it is for.
func patchesNothing(patch *yamledit.File) bool {
	return len(patch.Documents) > 0 && !slices.ContainsFunc(patch.Documents, func(doc *yamledit.Document) bool {
		value, err := doc.Decode()
		if list, ok := value.([]any); ok {
			return err != nil || len(list) > 0
		}
		obj, ok := value.(map[string]any)
		return !ok || err != nil || !isName(obj)
	})
}

// isName reports whether an object has nothing but its name.
func isName(obj map[string]any) bool {
	for key := range obj {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", "spec"}, key) {
			return false
		}
	}
	meta, _ := obj["metadata"].(map[string]any)
	for key := range meta {
		if key != "name" && key != "namespace" {
			return false
		}
	}
	spec, ok := object.At(obj, "spec").(map[string]any)
	return obj["spec"] == nil || ok && len(spec) == 0
}
