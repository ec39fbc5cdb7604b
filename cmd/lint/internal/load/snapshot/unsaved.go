package snapshot

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
)

// Unsaved is the file that an editor has not saved: its content comes from standard
// input.
type Unsaved struct {
	Path string // empty if there is none
	Name string // as reports call it, once it is read
	// Whole is true if it also matters what is found of releases that have nothing to do with the file.
	Whole bool
}

// Around returns the folder that is judged instead of standard input: the working
// directory, or that of a file elsewhere.
func (u *Unsaved) Around(paths []string) ([]string, error) {
	switch {
	case u.Path == "":
		return paths, nil
	case !slices.Equal(paths, []string{"-"}):
		return nil, errors.New("--stdin-path: the file is read from standard input: want --stdin-path FILE -")
	}
	if here, err := filepath.Abs("."); err == nil {
		at, err := filepath.Abs(u.Path)
		if rel, err2 := filepath.Rel(here, at); errors.Join(err, err2) == nil && filepath.IsLocal(rel) {
			return []string{"."}, nil
		}
	}
	return []string{filepath.Dir(u.Path)}, nil
}

// On returns what is read: the disk, with the file as standard input has it.
func (u *Unsaved) On(disk Snapshot, in io.Reader) (Snapshot, error) {
	if u.Path == "" {
		return disk, nil
	}
	data, err := Read(in)
	disk.Edit = func(opts effective.Options) (edited effective.Options, err error) {
		var found bool
		if edited, u.Name, found = opts.Edit(u.Path, data); !found {
			err = fmt.Errorf("--stdin-path %s: no such file is read: it is not saved yet, or ignored", u.Path)
		}
		if !u.Whole && opts.Config.Spec.Baseline == "" && u.Name != opts.ConfigFile {
			edited.Only = u.Name
		}
		return edited, err
	}
	return disk, err
}
