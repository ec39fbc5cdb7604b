package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// unsavedFlag names the file that an editor has not saved: its content comes from
// standard input.
type unsavedFlag struct {
	path string
	name string // as reports call it, once it is read
}

func (u *unsavedFlag) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&u.path, "stdin-path", "", "judge the tree around `FILE` as if it held what standard input holds, and report only what is in that file; for editors")
	for _, other := range []string{"fix", "diff", "new-from", "write-baseline"} {
		usage.Exclude(cmd, "stdin-path", other)
	}
}

// around returns the folder that is judged instead of standard input: the working
// directory, or that of a file elsewhere.
func (u *unsavedFlag) around(paths []string) ([]string, error) {
	switch {
	case u.path == "":
		return orHere(paths), nil
	case !slices.Equal(paths, []string{"-"}):
		return nil, errors.New("--stdin-path: the file is read from standard input: want --stdin-path FILE -")
	}
	if here, err := filepath.Abs("."); err == nil {
		at, err := filepath.Abs(u.path)
		if rel, err2 := filepath.Rel(here, at); errors.Join(err, err2) == nil && filepath.IsLocal(rel) {
			return []string{"."}, nil
		}
	}
	return []string{filepath.Dir(u.path)}, nil
}

// snapshot returns what is read: the disk, with the file as standard input has it.
func (u *unsavedFlag) snapshot(std streams) (snapshot.Snapshot, error) {
	disk := onDisk(std)
	if u.path == "" {
		return disk, nil
	}
	data, err := snapshot.Read(std.in)
	disk.Edit = func(opts flux.Options) (edited flux.Options, err error) {
		var found bool
		if edited, u.name, found = opts.Edit(u.path, data); !found {
			err = fmt.Errorf("--stdin-path %s: no such file is read: it is not saved yet, or ignored", u.path)
		}
		return edited, err
	}
	return disk, err
}
