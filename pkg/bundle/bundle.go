package bundle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing/fstest"

	"github.com/open-policy-agent/opa/v1/bundle"

	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// The files of a bundle. Below builtin are the built-in policies, below custom the rules of a
// user by the number of their folder.
const (
	manifestFile   = bundle.ManifestExt
	signaturesFile = ".signatures.json"
	dataFile       = "data.json"
	configFile     = rules.ConfigFile
	builtin        = "policies"
	custom         = "rules"
)

// product is the key of what the manifest's metadata says to this project.
const product = "flux-remedy"

// Bundle is policies with their configuration. Nothing of it is compiled yet.
type Bundle struct {
	// Revision names the content for people.
	Revision string
	// Digest is the one that its policies and its configuration have.
	Digest rules.Digest
	// Version is that of the program which built it.
	Version string
	// Signature is the one that was verified, or made; nil if none was asked for.
	Signature *Signature

	files contents
}

// Content is what a bundle is built from, besides the built-in policies.
type Content struct {
	// Config is a configuration document; nil leaves the configuration to where the bundle
	// is used.
	Config []byte
	// Rules are folders of rules of one's own.
	Rules []fs.FS
	// Revision names the content; empty takes the first digits of its hash.
	Revision string
	// Version is that of the program.
	Version string
}

var revisionForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,127}$`)
})

// Build collects the built-in policies and what is given, and compiles it once: what does not
// compile or fit together is an error.
func Build(ctx context.Context, c Content) (*Bundle, error) {
	b := &Bundle{Version: c.Version, files: contents{}}
	if err := b.files.add(builtin, policies.FS); err != nil {
		return nil, err
	}
	for i, folder := range c.Rules {
		if err := b.files.add(path.Join(custom, fmt.Sprint(i+1)), folder); err != nil {
			return nil, err
		}
	}
	if c.Config != nil {
		b.files[configFile] = c.Config
	}
	engine, err := b.compile(ctx)
	if err != nil {
		return nil, err
	}
	if b.files[dataFile], err = json.MarshalIndent(engine.Data(), "", "  "); err != nil {
		return nil, err
	}
	b.Digest, b.Revision = engine.Digest(), c.Revision
	if b.Revision == "" {
		b.Revision = b.files.hash()[:12]
	}
	if !revisionForm().MatchString(b.Revision) {
		return nil, fmt.Errorf("revision %q: want letters, digits and . _ : / @ + -, at most 128", b.Revision)
	}
	if b.files[manifestFile], err = b.manifest(); err != nil {
		return nil, err
	}
	return b, b.files.check()
}

// manifest returns OPA's manifest.
func (b *Bundle) manifest() ([]byte, error) {
	version := 1
	return json.MarshalIndent(bundle.Manifest{
		Revision: b.Revision, Roots: &[]string{"metadata", "remedy"}, RegoVersion: &version,
		Metadata: map[string]any{product: about{Digest: b.Digest, Version: b.Version}},
	}, "", "  ")
}

// about is what the manifest says to this project.
type about struct {
	Digest  rules.Digest `json:"digest"`
	Version string       `json:"version"`
}

// read takes the files of a bundle, and reads its manifest.
func read(files contents) (*Bundle, error) {
	if err := files.check(); err != nil {
		return nil, err
	}
	var manifest struct {
		Revision string           `json:"revision"`
		Metadata map[string]about `json:"metadata"`
	}
	data, ok := files[manifestFile]
	if !ok {
		return nil, errors.New("it has no " + manifestFile + ": this is no bundle")
	}
	if err := json.Unmarshal(data, &manifest); err != nil {
		return nil, fmt.Errorf("%s: %w", manifestFile, err)
	}
	of, ok := manifest.Metadata[product]
	if !ok || of.Digest.Short() == "" || len(of.Version) > maxName || !revisionForm().MatchString(manifest.Revision) {
		return nil, fmt.Errorf("%s: \"flux-remedy bundle build\" did not write it", manifestFile)
	}
	return &Bundle{Revision: manifest.Revision, Digest: of.Digest, Version: of.Version, files: files}, nil
}

// Engine compiles the policies under the configuration of the bundle. If their digest is not
// the manifest's, they do not judge as they did where the bundle was built.
func (b *Bundle) Engine(ctx context.Context) (*rules.Engine, error) {
	engine, err := b.compile(ctx)
	if err != nil {
		return nil, fmt.Errorf("%w (it was built by version %s: is that older or newer?)", err, b.Version)
	}
	if got := engine.Digest(); got != b.Digest {
		return nil, fmt.Errorf("its manifest says digest %s, but its policies and configuration have %s: it was changed after it was built, or version %s judges otherwise: build it anew",
			b.Digest, got, b.Version)
	}
	return engine.OfBundle(b.Revision), nil
}

func (b *Bundle) compile(ctx context.Context) (*rules.Engine, error) {
	engine, err := rules.New(ctx, b.sources()...)
	if err != nil {
		return nil, err
	}
	config, err := b.Config()
	if err != nil || config == nil {
		return engine, err
	}
	if engine, err = engine.Under(config); err != nil {
		return nil, fmt.Errorf("%s: %w", configFile, err)
	}
	return engine, nil
}

// Config returns the configuration; nil if the bundle has none.
func (b *Bundle) Config() (*rules.Config, error) {
	data := b.files[configFile]
	if data == nil {
		return nil, nil
	}
	config, err := rules.ParseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", configFile, err)
	}
	if named := config.Spec.Named(); config.Spec.Extends != "" || named.Bundle != "" || len(named.Folders) > 0 {
		return nil, fmt.Errorf("%s: spec.extends and spec.policies name files beside a configuration, and a bundle has none: build it with \"flux-remedy bundle build\"", configFile)
	}
	return config, nil
}

// ConfigData returns the document of the configuration; nil if there is none.
func (b *Bundle) ConfigData() []byte { return b.files[configFile] }

// FS returns the Rego files.
func (b *Bundle) FS() fs.FS { return b.files.below("") }

// Own returns the Rego files that this program does not have: all, where the built-in ones are
// not those of this program.
func (b *Bundle) Own() fs.FS {
	all := b.files.below("")
	if !b.Altered() {
		maps.DeleteFunc(all, func(name string, _ *fstest.MapFile) bool { return !strings.HasPrefix(name, custom+"/") })
	}
	return all
}

// Altered reports whether the built-in rules of the bundle are not those of this program: they
// were changed, or are of another version.
func (b *Bundle) Altered() bool { return !sameRego(b.files.below(builtin), policies.FS) }

// sources returns the policies as file systems, the built-in ones first. Inputs are made by
// this program, so that the schema is its own, whatever the policies were written for.
func (b *Bundle) sources() []fs.FS {
	first, all := fs.FS(policies.FS), []fs.FS{}
	if own := b.files.below(builtin); !sameRego(own, policies.FS) {
		schema, _ := fs.ReadFile(policies.FS, rules.SchemaFile) // it is embedded
		own[rules.SchemaFile] = &fstest.MapFile{Data: schema}
		first = own
	}
	all = append(all, first)
	if own := b.files.below(custom); len(own) > 0 {
		all = append(all, own)
	}
	return all
}

// hash identifies files by names and bytes.
func (c contents) hash() string {
	sum := sha256.New()
	for _, name := range c.names() {
		fmt.Fprintf(sum, "%s\x00%d\x00%s", name, len(c[name]), c[name])
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// isRego reports whether a file is Rego that judges, and no test of it.
func isRego(name string) bool {
	return path.Ext(name) == ".rego" && !strings.HasSuffix(name, "_test.rego")
}
