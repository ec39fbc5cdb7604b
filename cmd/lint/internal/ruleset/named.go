package ruleset

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/configfile"
	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/snapshot"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Named are the policies of a run, as its flags name them: the built-in ones, with folders of
// rules, or a bundle, which has all of them.
type Named struct {
	Folders []string // --policy
	Bundle  string   // --bundle
	Keys    []string // --verify-key

	opened *bundle.Bundle
}

// Open compiles the built-in policies and those of folders.
func Open(ctx context.Context, folders []string) (*rules.Engine, error) {
	return (&Named{Folders: folders}).Open(ctx)
}

// Open compiles the policies.
func (n *Named) Open(ctx context.Context) (*rules.Engine, error) {
	if n.Bundle == "" && len(n.Keys) > 0 {
		return nil, errors.New("--verify-key: there is no bundle to verify")
	}
	if n.Bundle == "" {
		folders, err := n.OpenFolders()
		if err != nil {
			return nil, err
		}
		return Compile(ctx, folders)
	}
	keys, err := bundle.ReadKeys(n.Keys)
	if err != nil {
		return nil, err
	}
	if n.opened, err = bundle.Open(n.Bundle, keys, time.Now()); err != nil {
		return nil, err
	}
	return n.compile(ctx)
}

// Opened returns the bundle; nil without one.
func (n *Named) Opened() *bundle.Bundle { return n.opened }

func (n *Named) compile(ctx context.Context) (*rules.Engine, error) {
	engine, err := n.opened.Engine(ctx)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", n.Bundle, err)
	}
	return engine, nil
}

// OpenFolders opens the folders of rules.
func (n *Named) OpenFolders() (opened []policy.Folder, err error) {
	for _, folder := range n.Folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--policy %s: no such folder", folder)
		}
		opened = append(opened, policy.Folder{Name: folder, FS: files.Folder(folder)})
	}
	return opened, nil
}

// Over returns a snapshot that has the configuration of the bundle, if that has one: no other
// is read then.
func (n *Named) Over(from snapshot.Snapshot) snapshot.Snapshot {
	if n.opened == nil || n.opened.ConfigData() == nil {
		return from
	}
	from.Config = n.config
	return from
}

func (n *Named) config(named, path string) (judge.Configuration, error) {
	if named != "" {
		return judge.Configuration{}, fmt.Errorf("--config %s: the bundle has a configuration, and it holds: want one of both", named)
	}
	config, err := n.opened.Config()
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("bundle %s: %w", n.Bundle, err)
	}
	root, err := configfile.Root(path)
	return judge.Configuration{Config: config, File: filepath.Join(n.Bundle, rules.ConfigFile), Data: n.opened.ConfigData(), Root: root}, err
}

// Trusted reports whether the configuration was named by who runs the program, and does not
// come with what is judged.
func (n *Named) Trusted(config string) bool {
	return config != "" || n.opened != nil && n.opened.ConfigData() != nil
}

// In returns the policies as a snapshot has them. A bundle that a revision does not have is
// the one that is named.
func (n *Named) In(ctx context.Context, from snapshot.Snapshot) (*Named, []policy.Folder, error) {
	if n.Bundle == "" {
		var folders []policy.Folder
		for _, name := range n.Folders {
			files, err := from.Rules(ctx, name)
			if err != nil {
				return nil, nil, err
			}
			folders = append(folders, policy.Folder{Name: name, FS: files})
		}
		return n, slices.DeleteFunc(folders, policy.Folder.Empty), nil // a revision may not have it yet
	}
	then := *n
	if from.Bundle != nil {
		var err error
		if then.opened, err = n.then(ctx, from); err != nil {
			return nil, nil, err
		}
	}
	return &then, []policy.Folder{{Name: n.Bundle, FS: then.opened.FS()}}, nil
}

func (n *Named) then(ctx context.Context, from snapshot.Snapshot) (*bundle.Bundle, error) {
	packed, folder, err := from.Bundle(ctx, n.Bundle)
	if err != nil || packed == nil && folder == nil {
		return n.opened, err
	}
	keys, err := bundle.ReadKeys(n.Keys)
	if err != nil {
		return nil, err
	}
	if folder != nil {
		return bundle.In(n.Bundle, folder, keys, time.Now())
	}
	return bundle.Unpack(n.Bundle, packed, keys, time.Now())
}

// Engine compiles the policies that In has returned, unless they are those of an engine.
func (n *Named) Engine(ctx context.Context, now *rules.Engine, own, folders []policy.Folder) (*rules.Engine, error) {
	same := policy.SameRules(own, folders)
	switch {
	case n.Bundle == "" && !same:
		return Compile(ctx, folders)
	case n.Bundle != "" && !(same && n.opened.Revision == now.InForce().Bundle):
		return n.compile(ctx)
	}
	return now, nil
}

// Configured reads a configuration, by default the one found upward from the working
// directory, and compiles the rules under it.
func (n *Named) Configured(ctx context.Context, notes io.Writer, file string) (judge.Configuration, *rules.Engine, error) {
	engine, err := n.Open(ctx)
	if err != nil {
		return judge.Configuration{}, nil, err
	}
	config, err := n.Over(snapshot.OnDisk(nil, notes)).Config(file, ".")
	if err != nil {
		return config, nil, err
	}
	if err := Check(notes, engine, config); err != nil {
		return config, nil, err
	}
	engine, err = engine.Under(config.Config)
	return config, engine, err
}
