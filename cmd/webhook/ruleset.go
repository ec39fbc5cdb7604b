package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
}

// inputs are sources as they are read: with the policies that the configuration names, and the
// content of its files.
type inputs struct {
	sources
	folders    []string // of custom rules
	own, other []byte   // the configuration, and the file that it extends; nil without one
	extended   bool     // the configuration names the bundle, and extends what is in it
}

// read reads the configuration. It names the policies, unless flags name any.
func (s sources) read() (in inputs, err error) {
	in = inputs{sources: s}
	if s.rules != "" {
		in.folders = []string{s.rules}
	}
	if s.config == "" {
		return in, nil
	}
	if in.own, err = os.ReadFile(s.config); err != nil {
		return in, err
	}
	config, err := rules.ParseConfig(in.own)
	if err != nil {
		return in, fmt.Errorf("%s: %w", s.config, err)
	}
	root, err := bundle.RootOf(filepath.Dir(s.config))
	if err != nil {
		return in, err
	}
	if s.rules == "" && s.bundle == "" {
		in.name(root, config.Spec.Named())
	}
	if config.Spec.Extends == "" || config.Spec.ExtendsBundle() {
		return in, nil
	}
	if in.other, err = os.ReadFile(beside(root, config.Spec.Extends)); err != nil {
		return in, fmt.Errorf("%s: spec.extends: %w", s.config, err)
	}
	return in, nil
}

func (in *inputs) name(root string, policies rules.PoliciesConfig) {
	for _, folder := range policies.Folders {
		in.folders = append(in.folders, beside(root, folder))
	}
	for _, key := range policies.VerifyKeys {
		in.keys = append(in.keys, beside(root, key))
	}
	if policies.Bundle != "" {
		in.extended, in.bundle = true, beside(root, policies.Bundle)
	}
}

// beside returns the path of what a configuration names.
func beside(root, name string) string {
	if filepath.IsAbs(name) || strings.HasPrefix(name, "env:") {
		return name
	}
	return filepath.Join(root, name)
}

func (s sources) load(ctx context.Context) (*ruleset, error) {
	in, err := s.read()
	if err != nil {
		return nil, err
	}
	digests, err := in.digests()
	if err != nil {
		return nil, err
	}
	engine, config, until, err := in.compile(ctx)
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
func (in inputs) compile(ctx context.Context) (engine *rules.Engine, config *rules.Config, until time.Time, err error) {
	if in.bundle != "" {
		return in.unpack(ctx)
	}
	if config, err = in.configuration(); err != nil {
		return nil, nil, until, err
	}
	if engine, err = rules.New(ctx, in.trees()...); err == nil {
		engine, err = in.under(engine, config)
	}
	return engine, config, until, err
}

func (in inputs) under(engine *rules.Engine, config *rules.Config) (*rules.Engine, error) {
	engine, err := engine.Under(config)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.config, err)
	}
	return engine, nil
}

// unpack compiles the rules of the bundle under its configuration or, without one, under that
// of the file.
func (in inputs) unpack(ctx context.Context) (engine *rules.Engine, config *rules.Config, until time.Time, err error) {
	keys, err := bundle.ReadKeys(in.keys)
	if err != nil {
		return nil, nil, until, err
	}
	b, err := bundle.Open(in.bundle, keys, time.Now())
	if err != nil {
		return nil, nil, until, err
	}
	if config, err = in.with(b); err != nil {
		return nil, nil, until, err
	}
	if engine, err = b.Engine(ctx); err != nil {
		return nil, nil, until, fmt.Errorf("bundle %s: %w", in.bundle, err)
	}
	if b.Signature != nil {
		until = b.Signature.Until
	}
	engine, err = in.under(engine, config)
	return engine, config, until, err
}

func (in inputs) with(b *bundle.Bundle) (*rules.Config, error) {
	config, err := b.Config()
	switch {
	case err != nil:
		return nil, fmt.Errorf("bundle %s: %w", in.bundle, err)
	case config == nil:
		return in.configuration()
	case in.extended:
		return in.over(b.ConfigData())
	case in.config != "":
		return nil, fmt.Errorf("bundle %s has a configuration, and --config is given: want one of both", in.bundle)
	}
	return config, nil
}

// configuration returns the configuration of the files, without that of a bundle.
func (in inputs) configuration() (*rules.Config, error) {
	switch {
	case in.own == nil:
		return &rules.Config{}, nil
	case in.other != nil:
		return in.over(in.other)
	}
	return rules.ParseConfig(in.own)
}

// over returns the configuration over the one that it extends.
func (in inputs) over(other []byte) (*rules.Config, error) {
	config, err := rules.Extend(in.own, other)
	if err != nil {
		return nil, fmt.Errorf("%s, and what it extends: %w", in.config, err)
	}
	return config, nil
}

// trees are the file systems that hold the rules.
func (in inputs) trees() []fs.FS {
	out := []fs.FS{policies.FS}
	for _, folder := range in.folders {
		out = append(out, os.DirFS(mounted(folder)))
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

// digests identifies the content of all that is read.
func (in inputs) digests() (digests, error) {
	hash := sha256.New()
	if err := in.sumBundle(hash); err != nil {
		return digests{}, err
	}
	for _, tree := range in.trees() {
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
	sum := sha256.Sum256(slices.Concat(in.own, in.other))
	if in.bundle != "" && in.config == "" {
		copy(sum[:], hash.Sum(nil)) // it is in the bundle
	}
	return digests{config: short(sum[:]), rules: short(hash.Sum(nil))}, nil
}

// sumBundle hashes the bundle, and the keys that verify it.
func (in inputs) sumBundle(hash io.Writer) error {
	if in.bundle == "" {
		return nil
	}
	sum, err := bundle.Sum(in.bundle)
	if err != nil {
		return err
	}
	fmt.Fprintln(hash, sum)
	for _, name := range in.keys {
		key, err := bundle.Secret(name)
		if err != nil {
			return fmt.Errorf("--verify-key %s: %w", name, err)
		}
		fmt.Fprintf(hash, "%d %s\n", len(key), key)
	}
	return nil
}

func short(sum []byte) string { return hex.EncodeToString(sum[:6]) }
