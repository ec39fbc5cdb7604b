// Package draft holds files with edits that are not written yet: [Files.With] makes edits in memory, [Files.Diff] and
// [Files.Hunks] show them without what may be secret (hidden.go), and [Files.Write] replaces the files on disk, each whole
// or not at all. It knows no findings.
package draft

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Files are the files of a run as edits make them. They are not changed once
// they are made.
type Files struct {
	roots   []string          // below which, or which themselves, may be changed; resolved
	files   map[string]*file  // that an edit has named, by absolute path
	unsaved map[string][]byte // what an editor holds in place of files, by absolute path
}

// file is one file before and after.
type file struct {
	name     string // as people know it
	abs      string
	real     string // without symbolic links
	old, new []byte
}

// Open names the files and folders that may be changed. Unsaved is what an editor holds in place of files, by absolute
// path.
func Open(paths []string, unsaved map[string][]byte) (*Files, error) {
	f := &Files{unsaved: unsaved}
	for _, path := range paths {
		root, err := resolve(path)
		if err != nil {
			return nil, err
		}
		f.roots = append(f.roots, root)
	}
	return f, nil
}

func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// Try returns the reason why edits of files with these contents, by name, cannot be made.
func Try(contents map[string][]byte, edits []effective.Edit) error {
	f := &Files{files: map[string]*file{}}
	for name, data := range contents {
		abs, err := filepath.Abs(name)
		if err != nil {
			return err
		}
		f.files[abs] = &file{name: name, abs: abs, old: data, new: data}
	}
	_, err := f.With(edits)
	return err
}

// With returns the files with edits applied, or the reason why one of them cannot
// be made; f stays as it is.
func (f *Files) With(edits []effective.Edit) (*Files, error) {
	out := &Files{roots: f.roots, files: maps.Clone(f.files), unsaved: f.unsaved}
	if out.files == nil {
		out.files = map[string]*file{}
	}
	for _, edit := range ordered(edits) {
		if err := out.apply(edit); err != nil {
			return nil, err
		}
	}
	if err := out.dropEmptied(edits); err != nil {
		return nil, err
	}
	return out, nil
}

// ordered puts what is written before what is removed, and of that the last of
// a list first, so that addresses stay true.
func ordered(edits []effective.Edit) []effective.Edit {
	var written, removed []effective.Edit
	for _, edit := range edits {
		if edit.Value == nil {
			removed = append(removed, edit)
		} else {
			written = append(written, edit)
		}
	}
	slices.SortStableFunc(removed, func(a, b effective.Edit) int {
		return cmp.Or(cmp.Compare(a.File, b.File), compareAddresses(b.At, a.At))
	})
	removed = slices.CompactFunc(removed, func(a, b effective.Edit) bool { return reflect.DeepEqual(a, b) })
	return append(written, removed...)
}

// compareAddresses orders addresses as in a file, as far as lists go.
func compareAddresses(a, b yamledit.Address) int {
	return slices.CompareFunc(a, b, func(x, y yamledit.Step) int {
		return cmp.Or(cmp.Compare(x.Document, y.Document), slices.CompareFunc(x.Path, y.Path, compareSteps))
	})
}

func compareSteps(a, b any) int {
	x, ok := a.(int)
	y, ok2 := b.(int)
	if ok && ok2 {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b))
}

func (f *Files) apply(edit effective.Edit) error {
	abs, err := filepath.Abs(edit.File)
	if err != nil {
		return err
	}
	target := f.files[abs]
	if target == nil {
		if target, err = f.open(edit.File, abs); err != nil {
			return err
		}
	}
	changed := *target
	if edit.Value == nil {
		changed.new, err = yamledit.PruneAt(changed.new, edit.At, belowSpec(edit.At))
	} else {
		changed.new, err = yamledit.SetAt(changed.new, edit.At, edit.Value, fieldOrder)
	}
	if err == nil && edit.Replaces {
		changed.new, err = yamledit.UncommentAt(changed.new, edit.At, belowSpec(edit.At)+1)
	}
	if refused := new(yamledit.Refusal); errors.As(err, &refused) && len(edit.At) == 1 {
		return fmt.Errorf("%s:%d: %s", edit.File, refused.Line, refused.Reason)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", edit.File, err)
	}
	f.files[abs] = &changed
	return nil
}

// fieldOrder is how people write the fields of a HelmRelease: the halves together, and last what is long.
var fieldOrder = yamledit.Order{Beside: []string{"install", "upgrade"}, Last: []string{"values", "valuesFrom"}}

// belowSpec returns the steps of an innermost path down to spec. What is above stays, though
// it may be empty.
func belowSpec(at yamledit.Address) int {
	path := at[len(at)-1].Path
	if i := slices.Index(path, any("spec")); i >= 0 {
		return i
	}
	return len(path)
}

// open reads a file that may be changed.
func (f *Files) open(name, abs string) (*file, error) {
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(f.roots, func(root string) bool { return within(root, real) }) {
		return nil, fmt.Errorf("%s is not below the paths that were given", name)
	}
	data, held := f.unsaved[abs]
	if !held {
		data, err = os.ReadFile(real)
	}
	if err == nil && yamledit.IsGenerated(name, data) {
		return nil, fmt.Errorf("a tool writes %s anew: change what it is made from, or patch it", name)
	}
	return &file{name: name, abs: abs, real: real, old: data, new: data}, err
}

// within reports whether a file is root or below it; both are resolved.
func within(root, file string) bool {
	rel, err := filepath.Rel(root, file)
	return err == nil && filepath.IsLocal(rel)
}

// all lists the files that edits have named, by name.
func (f *Files) all() []*file {
	return slices.SortedFunc(maps.Values(f.files), func(a, b *file) int { return cmp.Compare(a.name, b.name) })
}

// changed lists the files that edits have changed, by name.
func (f *Files) changed() []*file {
	return slices.DeleteFunc(f.all(), func(file *file) bool { return bytes.Equal(file.old, file.new) })
}

// Names lists the files that edits have changed.
func (f *Files) Names() []string {
	var names []string
	for _, file := range f.changed() {
		names = append(names, file.name)
	}
	return names
}

// Contents returns the content of the files that edits have named, by name.
func (f *Files) Contents() map[string][]byte {
	contents := map[string][]byte{}
	for _, file := range f.files {
		contents[file.name] = file.new
	}
	return contents
}

// Write puts the changed files in their place. A file that is not as it was
// read is not touched; after an error all are as they were.
func (f *Files) Write() error {
	for i, file := range f.changed() {
		now, err := os.ReadFile(file.real)
		if err == nil && !bytes.Equal(now, file.old) {
			err = errors.New("it has been changed meanwhile")
		}
		if err == nil {
			err = files.Replace(file.real, file.new)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("write %s: %w", file.name, err), restore(f.changed()[:i]))
		}
	}
	return nil
}

// Restore puts back what Write has replaced.
func (f *Files) Restore() error { return restore(f.changed()) }

func restore(written []*file) error {
	var errs []error
	for _, file := range written {
		if err := files.Replace(file.real, file.old); err != nil {
			errs = append(errs, fmt.Errorf("restore %s: %w", file.name, err))
		}
	}
	return errors.Join(errs...)
}
