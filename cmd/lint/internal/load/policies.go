package load

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/pkg/bundle"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Policies are the policies of a run: the built-in ones, with folders of rules, or a bundle, which
// has all of them. Its flags name them or, without any, its configuration.
type Policies struct {
	Folders []string // --policy
	Bundle  string   // --bundle
	Keys    []string // --verify-key

	configured bool // the configuration names them
	opened     *bundle.Bundle
	signers    map[string][]string // what Keys hold, see Signers
}

// OpenRules compiles the built-in policies and those of folders.
func OpenRules(ctx context.Context, folders []string) (*rules.Engine, error) {
	return (&Policies{Folders: folders}).Open(ctx)
}

// OpenUnder compiles the policies. Unless flags name any, those of the configuration that a
// snapshot has in a file that was named, or else for a path.
func (p *Policies) OpenUnder(ctx context.Context, from Snapshot, file, path string) (*rules.Engine, error) {
	if _, err := p.Configure(from, file, path); err != nil {
		return nil, err
	}
	if from.Bundle == nil {
		return p.Open(ctx)
	}
	then, folders, err := p.In(ctx, from, file, path)
	switch {
	case err != nil:
		return nil, err
	case then.Bundle != "":
		return then.compile(ctx)
	}
	return Compile(ctx, folders)
}

// Configure returns the configuration that a snapshot has in a file that was named, or else for a
// path. Unless flags name policies, they are those that it names.
func (p *Policies) Configure(from Snapshot, file, path string) (judge.Configuration, error) {
	if p.Bundle != "" {
		return judge.Configuration{}, nil // it may have one, and then no other is read
	}
	config, err := from.Config(file, path)
	if err != nil || len(p.Folders) > 0 {
		return config, err
	}
	named := config.Spec.Named()
	p.configured = true
	p.Folders, p.Bundle, p.Keys = slices.Clone(named.Folders), named.Bundle, slices.Clone(named.VerifyKeys)
	return config, p.resolve(config, file != "")
}

// resolve makes the paths that a configuration names those from here.
func (p *Policies) resolve(config judge.Configuration, trusted bool) error {
	resolve := func(field string, names ...*string) error {
		for _, name := range names {
			if *name == "" || strings.HasPrefix(*name, "env:") {
				continue
			}
			path, err := beside(config, *name, trusted)
			if err != nil {
				return fmt.Errorf("configuration %s: %s: %s: %w", judge.FromHere(config.File), field, *name, err)
			}
			*name = path
		}
		return nil
	}
	extended := "spec.policies.bundle"
	if config.Spec.ExtendsBundle() {
		extended = "spec.extends"
	}
	if err := resolve(extended, &p.Bundle); err != nil {
		return err
	}
	if err := resolve("spec.policies.folders", pointers(p.Folders)...); err != nil {
		return err
	}
	return resolve("spec.policies.verifyKeys", pointers(p.Keys)...)
}

func pointers(items []string) (out []*string) {
	for i := range items {
		out = append(out, &items[i])
	}
	return out
}

// Open compiles the policies.
func (p *Policies) Open(ctx context.Context) (*rules.Engine, error) {
	if p.Bundle == "" && len(p.Keys) > 0 {
		return nil, errors.New("--verify-key: there is no bundle to verify")
	}
	if p.Bundle == "" {
		folders, err := p.OpenFolders()
		if err != nil {
			return nil, err
		}
		return Compile(ctx, folders)
	}
	if err := p.open(); err != nil {
		return nil, err
	}
	return p.compile(ctx)
}

func (p *Policies) open() error {
	keys, err := p.keys(nil)
	if err != nil {
		return err
	}
	p.opened, err = bundle.Open(p.Bundle, keys, time.Now())
	return err
}

// Opened returns the bundle; nil without one.
func (p *Policies) Opened() *bundle.Bundle { return p.opened }

// Signers returns the fingerprints of the keys by which the configuration has its bundle verified, by the
// names of these; nil if it names none. Those that flags name are chosen by who runs the program.
func (p *Policies) Signers() map[string][]string {
	if !p.configured || p.Bundle == "" {
		return nil
	}
	return p.signers
}

func (p *Policies) compile(ctx context.Context) (*rules.Engine, error) {
	engine, err := p.opened.Engine(ctx)
	if err != nil {
		return nil, fmt.Errorf("bundle %s: %w", p.Bundle, err)
	}
	return engine, nil
}

// OpenFolders opens the folders of rules.
func (p *Policies) OpenFolders() (opened []policy.Folder, err error) {
	for _, folder := range p.Folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("%s %s: no such folder", p.named(), folder)
		}
		opened = append(opened, policy.Folder{Name: folder, FS: files.Folder(folder)})
	}
	return opened, nil
}

// named says what names the folders of rules.
func (p *Policies) named() string {
	if p.configured {
		return "spec.policies.folders:"
	}
	return "--policy"
}

// Over returns a snapshot that has the configuration of the bundle, if that has one: no other
// is read then, but for the one that names the bundle, which extends it.
func (p *Policies) Over(from Snapshot) Snapshot {
	switch read := from.Config; {
	case p.opened == nil || p.opened.ConfigData() == nil:
	case !p.configured:
		from.Config = p.config
	default:
		from.Config = func(named, path string) (judge.Configuration, error) {
			config, err := read(named, path)
			if err != nil {
				return config, err
			}
			if config.Extends != nil {
				return config, fmt.Errorf("configuration %s: spec.extends: the bundle %s has a configuration, too: want one of both", config.File, p.Bundle)
			}
			return over(config, judge.Configuration{File: filepath.Join(p.Bundle, rules.ConfigFile), Data: p.opened.ConfigData()})
		}
	}
	return from
}

func (p *Policies) config(named, path string) (judge.Configuration, error) {
	if named != "" {
		return judge.Configuration{}, fmt.Errorf("--config %s: the bundle has a configuration, and it holds: want one of both", named)
	}
	config, err := p.opened.Config()
	if err != nil {
		return judge.Configuration{}, fmt.Errorf("bundle %s: %w", p.Bundle, err)
	}
	root, err := rootOf(path)
	return judge.Configuration{Config: config, File: filepath.Join(p.Bundle, rules.ConfigFile), Data: p.opened.ConfigData(), Root: root}, err
}

// Trusted reports whether the configuration was named by who runs the program, and does not
// come with what is judged.
func (p *Policies) Trusted(config string) bool {
	return config != "" || !p.configured && p.opened != nil && p.opened.ConfigData() != nil
}

// In returns the policies as a snapshot has them: those of its own configuration, unless flags
// name any. What a revision does not have is what is named.
func (p *Policies) In(ctx context.Context, from Snapshot, file, path string) (*Policies, []policy.Folder, error) {
	then := *p
	if p.configured {
		then.Folders, then.Bundle, then.Keys = nil, "", nil
		if _, err := then.Configure(from, file, path); err != nil {
			return nil, nil, err
		}
	}
	if then.Bundle == "" {
		then.opened = nil // and its configuration
		folders, err := then.folders(ctx, from)
		return &then, folders, err
	}
	if from.Bundle != nil {
		var err error
		if then.opened, err = then.then(ctx, from); err != nil {
			return nil, nil, err
		}
	}
	return &then, []policy.Folder{{Name: then.Bundle, FS: then.opened.Own()}}, nil
}

func (p *Policies) folders(ctx context.Context, from Snapshot) (folders []policy.Folder, err error) {
	for _, name := range p.Folders {
		files, err := from.Rules(ctx, name)
		if err != nil {
			return nil, err
		}
		folders = append(folders, policy.Folder{Name: name, FS: files})
	}
	return slices.DeleteFunc(folders, policy.Folder.Empty), nil // a revision may not have it yet
}

// then opens the bundle as a revision has it.
func (p *Policies) then(ctx context.Context, from Snapshot) (*bundle.Bundle, error) {
	packed, folder, err := from.Bundle(ctx, p.Bundle)
	if err != nil {
		return nil, err
	}
	keys, err := p.keys(func(name string) ([]byte, error) {
		data, _, err := from.Bundle(ctx, name)
		return data, err
	})
	switch {
	case err != nil:
		return nil, err
	case folder != nil:
		return bundle.In(p.Bundle, folder, keys, time.Now())
	case packed != nil:
		return bundle.Unpack(p.Bundle, packed, keys, time.Now())
	}
	return bundle.Open(p.Bundle, keys, time.Now())
}

// keys reads the keys, if the configuration names them as a revision has them, which has nothing of a file
// that it lacks: a change must not choose by which key its base is verified. Without a revision, read is nil.
func (p *Policies) keys(read func(name string) ([]byte, error)) (keys bundle.Keys, err error) {
	p.signers = map[string][]string{}
	for _, name := range p.Keys {
		var data []byte
		if read != nil && p.configured && !strings.HasPrefix(name, "env:") {
			data, err = read(name)
		}
		if err == nil && data == nil {
			data, err = bundle.Secret(name)
		}
		var more bundle.Keys
		if err == nil {
			more, err = bundle.ParseKeys(data)
		}
		if err != nil {
			return nil, fmt.Errorf("verify key %s: %w", name, err)
		}
		keys, p.signers[name] = append(keys, more...), more.Fingerprints()
	}
	return keys, nil
}

// Engine compiles the policies that In has returned, unless they are those of an engine.
func (p *Policies) Engine(ctx context.Context, now *rules.Engine, own, folders []policy.Folder) (*rules.Engine, error) {
	same := policy.SameRules(own, folders)
	switch {
	case p.Bundle == "" && !same:
		return Compile(ctx, folders)
	case p.Bundle != "" && !(same && p.opened.Revision == now.InForce().Bundle):
		return p.compile(ctx)
	}
	return now, nil
}

// Configured reads a configuration, by default the one found upward from the working
// directory, and compiles the rules under it.
func (p *Policies) Configured(ctx context.Context, notes io.Writer, file string) (judge.Configuration, *rules.Engine, error) {
	disk := OnDisk(nil, notes)
	engine, err := p.OpenUnder(ctx, disk, file, ".")
	if err != nil {
		return judge.Configuration{}, nil, err
	}
	config, err := p.Over(disk).Config(file, ".")
	if err != nil {
		return config, nil, err
	}
	if err := checkConfig(notes, engine, config); err != nil {
		return config, nil, err
	}
	engine, err = engine.Under(config.Config)
	return config, engine, err
}
