package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// ruleset is what is loaded of the sources. It is immutable: a reload creates a new one.
type ruleset struct {
	*admission.Judge
	until time.Time // when the signature of the bundle ends; zero if it does not
	digests
}

// digests identify the content of a ruleset: twelve hexadecimal digits each.
type digests struct{ config, rules string }

// sources are the configuration file, the folder of custom rules, and the name of the
// cluster. Each may be empty. A bundle stands for the rules, and for the configuration if it
// has one; one of the keys must have signed it, if there are any.
type sources struct {
	config, rules, cluster string

	bundle string
	keys   []string

	folders  []string // that the configuration names
	extended bool     // the configuration names the bundle, and extends what is in it
}

// named returns the sources with the policies that the configuration names, unless flags name any.
func (s sources) named() (sources, error) {
	if s.config == "" || s.rules != "" || s.bundle != "" || len(s.folders) > 0 {
		return s, nil
	}
	config, err := s.written()
	if err != nil {
		return s, err
	}
	policies := config.Spec.Named()
	for _, folder := range policies.Folders {
		s.folders = append(s.folders, s.beside(folder))
	}
	for _, key := range policies.VerifyKeys {
		s.keys = append(slices.Clone(s.keys), s.beside(key))
	}
	s.extended = policies.Bundle != ""
	s.bundle = s.beside(policies.Bundle)
	return s, nil
}

// beside returns the path of what the configuration names.
func (s sources) beside(name string) string {
	root, err := bundle.RootOf(filepath.Dir(s.config))
	if err != nil || name == "" || filepath.IsAbs(name) || strings.HasPrefix(name, "env:") {
		return name
	}
	return filepath.Join(root, name)
}

// load reads and compiles a ruleset.
func (s sources) load(ctx context.Context) (*ruleset, error) {
	digests, err := s.digests()
	if err != nil {
		return nil, err
	}
	if s, err = s.named(); err != nil {
		return nil, err
	}
	engine, config, until, err := s.compile(ctx)
	if err != nil {
		return nil, err
	}
	p := &ruleset{
		Judge: &admission.Judge{
			Engine: engine, Config: config, Cluster: s.cluster, InForce: engine.InForce(), Version: version,
			Sources: digests.config + "/" + digests.rules,
		},
		until: until, digests: digests,
	}
	p.warm(ctx, time.Now())
	return p, nil
}

// compile compiles the rules under the configuration.
func (s sources) compile(ctx context.Context) (engine *rules.Engine, config *rules.Config, until time.Time, err error) {
	if s, err = s.named(); err != nil {
		return nil, nil, until, err
	}
	if s.bundle != "" {
		return s.unpack(ctx)
	}
	if config, err = s.readConfig(); err != nil {
		return nil, nil, until, err
	}
	if engine, err = rules.New(ctx, s.trees()...); err == nil {
		engine, err = s.under(engine, config)
	}
	return engine, config, until, err
}

func (s sources) under(engine *rules.Engine, config *rules.Config) (*rules.Engine, error) {
	engine, err := engine.Under(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.config, err)
	}
	return engine, nil
}

// unpack compiles the rules of the bundle under its configuration or, without one, under that
// of the file.
func (s sources) unpack(ctx context.Context) (engine *rules.Engine, config *rules.Config, until time.Time, err error) {
	b, config, err := s.open()
	if err != nil {
		return nil, nil, until, err
	}
	if engine, err = b.Engine(ctx); err != nil {
		return nil, nil, until, fmt.Errorf("bundle %s: %w", s.bundle, err)
	}
	if b.Signature != nil {
		until = b.Signature.Until
	}
	engine, err = s.under(engine, config)
	return engine, config, until, err
}

// open opens the bundle and the configuration that holds with it.
func (s sources) open() (*bundle.Bundle, *rules.Config, error) {
	keys, err := bundle.ReadKeys(s.keys)
	if err != nil {
		return nil, nil, err
	}
	b, err := bundle.Open(s.bundle, keys, time.Now())
	if err != nil {
		return nil, nil, err
	}
	config, err := b.Config()
	switch {
	case err != nil:
		err = fmt.Errorf("bundle %s: %w", s.bundle, err)
	case config == nil:
		config, err = s.readConfig()
	case s.extended:
		config, err = s.over(b.ConfigData())
	case s.config != "":
		err = fmt.Errorf("bundle %s has a configuration, and --config is given: want one of both", s.bundle)
	}
	return b, config, err
}

// configuration reads what the webhook would be configured by.
func (s sources) configuration() (config *rules.Config, err error) {
	if s, err = s.named(); err != nil {
		return nil, err
	}
	if s.bundle == "" {
		return s.readConfig()
	}
	_, config, err = s.open()
	return config, err
}

func (s sources) readConfig() (*rules.Config, error) {
	if s.config == "" {
		return &rules.Config{}, nil
	}
	config, err := s.written()
	if err != nil || config.Spec.Extends == "" || config.Spec.ExtendsBundle() {
		return config, err
	}
	other, err := os.ReadFile(s.beside(config.Spec.Extends))
	if err != nil {
		return nil, fmt.Errorf("%s: spec.extends: %w", s.config, err)
	}
	return s.over(other)
}

// written returns the configuration as its file has it.
func (s sources) written() (*rules.Config, error) {
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

// over returns the configuration over the one that it extends.
func (s sources) over(other []byte) (*rules.Config, error) {
	data, err := os.ReadFile(s.config)
	if err != nil {
		return nil, err
	}
	config, err := rules.Extend(data, other)
	if err != nil {
		return nil, fmt.Errorf("%s, and what it extends: %w", s.config, err)
	}
	return config, nil
}

// trees are the file systems that hold the rules.
func (s sources) trees() []fs.FS {
	out := []fs.FS{policies.FS}
	for _, folder := range append(slices.Clone(s.folders), s.rules) {
		if folder != "" {
			out = append(out, os.DirFS(mounted(folder)))
		}
	}
	return out
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
	s, err := s.named()
	if err != nil {
		return digests{}, err
	}
	hash := sha256.New()
	if err := s.sumBundle(hash); err != nil {
		return digests{}, err
	}
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
	if len(config) > 0 { // with what it extends
		if read, err := s.readConfig(); err == nil && read.Spec.Extends != "" && !read.Spec.ExtendsBundle() {
			other, err := os.ReadFile(s.beside(read.Spec.Extends))
			if err != nil {
				return digests{}, err
			}
			config = append(config, other...)
		}
	}
	sum := sha256.Sum256(config)
	if s.bundle != "" && s.config == "" {
		copy(sum[:], hash.Sum(nil)) // it is in the bundle
	}
	return digests{config: short(sum[:]), rules: short(hash.Sum(nil))}, nil
}

// sumBundle hashes the bundle, and the keys that verify it.
func (s sources) sumBundle(hash io.Writer) error {
	if s.bundle == "" {
		return nil
	}
	sum, err := bundle.Sum(s.bundle)
	if err != nil {
		return err
	}
	fmt.Fprintln(hash, sum)
	for _, name := range s.keys {
		key, err := bundle.Secret(name)
		if err != nil {
			return fmt.Errorf("--verify-key %s: %w", name, err)
		}
		fmt.Fprintf(hash, "%d %s\n", len(key), key)
	}
	return nil
}

func short(sum []byte) string { return hex.EncodeToString(sum[:6]) }
