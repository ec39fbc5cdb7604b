package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// ruleset is what a decision depends on besides the request and the date. It is
// immutable: a reload creates a new one.
type ruleset struct {
	engine  *rules.Engine
	config  *rules.Config
	cluster string // empty if it is not known
	inForce rules.InForce
	digests
}

// place returns the place of the releases in a namespace.
func (p *ruleset) place(namespace string) rules.Place {
	return rules.Place{Namespace: namespace, Cluster: p.cluster}
}

// digests identify the content of a ruleset: twelve hexadecimal digits each.
type digests struct{ config, rules string }

// sources are the configuration file, the folder of custom rules, and the name of the
// cluster. Each may be empty.
type sources struct{ config, rules, cluster string }

// load reads and compiles a ruleset.
func (s sources) load(ctx context.Context) (*ruleset, error) {
	digests, err := s.digests()
	if err != nil {
		return nil, err
	}
	config, err := s.readConfig()
	if err != nil {
		return nil, err
	}
	engine, err := rules.New(ctx, s.trees()...)
	if err != nil {
		return nil, err
	}
	if engine, err = engine.Under(config); err != nil {
		return nil, fmt.Errorf("%s: %w", s.config, err)
	}
	return &ruleset{engine: engine, config: config, cluster: s.cluster, inForce: engine.InForce(), digests: digests}, nil
}

func (s sources) readConfig() (*rules.Config, error) {
	if s.config == "" {
		return &rules.Config{}, nil
	}
	data, err := os.ReadFile(s.config)
	if err != nil {
		return nil, err
	}
	config, err := rules.ParseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.config, err)
	}
	return config, nil
}

// trees are the file systems that hold the rules.
func (s sources) trees() []fs.FS {
	if s.rules == "" {
		return []fs.FS{policies.FS}
	}
	return []fs.FS{policies.FS, os.DirFS(mounted(s.rules))}
}

// mounted returns the folder that holds the files of dir. The kubelet mounts a
// ConfigMap as links into a folder that it replaces as a whole.
func mounted(dir string) string {
	if real, err := filepath.EvalSymlinks(filepath.Join(dir, "..data")); err == nil {
		return real
	}
	return dir
}

// digests reads all sources and identifies their content.
func (s sources) digests() (digests, error) {
	hash := sha256.New()
	for _, tree := range s.trees() {
		err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			data, err := fs.ReadFile(tree, name)
			fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
			return err
		})
		if err != nil {
			return digests{}, fmt.Errorf("read policies: %w", err)
		}
	}
	config, err := os.ReadFile(s.config)
	if err != nil && (s.config != "" || !errors.Is(err, fs.ErrNotExist)) {
		return digests{}, err
	}
	sum := sha256.Sum256(config)
	return digests{config: short(sum[:]), rules: short(hash.Sum(nil))}, nil
}

func short(sum []byte) string { return hex.EncodeToString(sum[:6]) }
