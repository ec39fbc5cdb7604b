package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
	"github.com/flux-remedy/remedy/cmd/lint/internal/trace"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Builder parses, instruments and builds, each content once. It is safe for concurrent use once
// its fields are set.
type Builder struct {
	// Table holds the origins of the fields of all builds.
	Table *trace.Table
	// Render renders the templates of a ResourceSet; in this process unless it is set.
	Render func(sandbox.Job) sandbox.Result
	// Step is called before a build, which nothing can stop, and what it returns after.
	Step func(what string) (done func())

	instrumenter *instrumenter
	results      results[buildKey, *Result]
	parts        *parts
	sets         cores.Once[[sha256.Size]byte, []byte] // what jobs of Render have given, as JSON
	refused      cores.Once[[sha256.Size]byte, string] // why Kustomizations are refused
	patched      cores.Once[[sha256.Size]byte, []byte] // what Patch has given, as JSON
}

// NewBuilder returns a builder with empty caches.
func NewBuilder() *Builder {
	table := &trace.Table{}
	return &Builder{
		Table: table, Render: sandbox.Render, Step: func(string) func() { return func() {} },
		parts: newParts(), instrumenter: &instrumenter{table: table},
	}
}

// Parse reads a file of a tree as YAML.
func (b *Builder) Parse(f *tree.File) (*yamledit.File, error) {
	return b.instrumenter.contents.parse(f)
}

// Source returns a source with the files that Flux would pack. The name is for people;
// own is true for a whole repository, see [Source.Own].
func (b *Builder) Source(name string, own bool, files *tree.Tree) *Source {
	return b.instrumenter.source(name, own, files)
}

// Build builds a folder as kustomize-controller does for a Flux Kustomization: first
// with shadows and, if that fails, without.
func (b *Builder) Build(s *Source, dir string, ks map[string]any) *Result {
	if s.weight(dir, ks) > maxWeight {
		return &Result{Err: fmt.Errorf("it takes more than %d objects and folders together, each as often as it is listed", maxWeight)}
	}
	for _, name := range addedComponents(ks) {
		if len(Unknown(name)) > 0 {
			return &Result{Err: fmt.Errorf("spec.components names %s, and which folder that is is not known", Unmark(name))}
		}
	}
	job := job{source: s, files: s.traced, dir: dir, ks: ks, walk: s.Walk(dir, ks), parts: b.parts}
	defer b.Step("building " + job.name())()
	out := b.results.of(job.key(), job.files, job.build).result
	if out.Err != nil {
		job.files, job.ks = s.plain, trace.Strip(ks)
		out = b.results.of(job.key(), job.files, job.build).result
	}
	return out
}

// job is one build to be done.
type job struct {
	source *Source
	files  *tree.Tree
	dir    string
	ks     map[string]any
	walk   *Walk
	parts  *parts // nil if nothing is to be composed
}

// name returns what is built, for people.
func (j job) name() string {
	if j.ks["kind"] == nil {
		return "folder " + j.dir
	}
	return "Kustomization " + Unmark(object.FullName(j.ks))
}

func (j job) key() buildKey {
	fields, _ := j.ks["spec"].(map[string]any)
	fields = maps.Clone(fields)
	delete(fields, "postBuild") // which comes after the build
	spec, _ := json.Marshal(fields)
	return buildKey{j.dir, sha256.Sum256(spec), j.hasRemotes(), j.substitutes()}
}

// build builds, and holds what was read against the walk: if there is more, it is not known what
// else was not seen.
func (j job) build(reads reads) *Result {
	out := j.built(reads)
	if name := j.walk.unexpected(reads); name != "" && out.Err == nil {
		return &Result{Err: fmt.Errorf("it reads %s, which no field that Flux Remedy knows names", name)}
	}
	return out
}

// built composes or runs kustomize. While that fails on a patch whose target is missing, and the
// target may be in a remote resource, that patch is set aside and it runs again.
func (j job) built(reads reads) *Result {
	composed, doubt := j.composed(reads)
	if composed != nil {
		return composed
	}
	dir := path.Join(mount, j.dir)
	text, file, err := generate(reads.of(j.files, nil), dir, j.ks)
	if err != nil {
		return &Result{Err: plainly(err)}
	}
	files := reads.of(j.files, map[string][]byte{file: text})
	out := &Result{Doubt: doubt}
	for {
		resources, err := run(files, dir, len(j.walk.schemas) > 0)
		if err == nil {
			for _, res := range resources {
				out.add(outcomeOf(res), j.substitutes())
			}
			out.Copied = j.walk.copied(j.source, resources)
			return out
		}
		id, ok := missingTarget(err)
		if !ok || !j.hasRemotes() || !cutPatches(files, j.kustPaths(file), id) {
			out.Err = plainly(j.ofSchema(err))
			if j.walk.copies {
				out.Err = errCopied
			}
			return out
		}
		out.SetAside = append(out.SetAside, id)
	}
}

// composed returns what is built without kustomize, or why that is not certain, also because a library
// panics.
func (j job) composed(reads reads) (out *Result, doubt string) {
	if j.parts == nil {
		return nil, ""
	}
	err := recovered("composing", func() error {
		out, doubt = j.compose(reads, j.parts)
		return nil
	})
	if err != nil {
		return nil, err.Error()
	}
	return out, doubt
}

// kustPaths lists the paths of the kustomization.yaml files that the build reads, in
// kustomize's file system: that of its folder first.
func (j job) kustPaths(first string) []string {
	out := []string{first}
	for _, k := range j.walk.Kusts {
		out = append(out, path.Join(mount, k.Path))
	}
	return out
}

func (j job) hasRemotes() bool { return len(j.walk.Remotes) > 0 }

// substitutes reports whether variables may be substituted in what is built.
func (j job) substitutes() bool { return object.At(j.ks, "spec", "postBuild") != nil }

// ofSchema says of kustomize's panic on a schema which files it may be in.
func (j job) ofSchema(err error) error {
	_, cause, found := strings.Cut(err.Error(), "invalid schema file: ")
	if !found || len(j.walk.schemas) == 0 {
		return err
	}
	return fmt.Errorf("%s, which the field openapi of a kustomization.yaml names, is no OpenAPI schema in JSON or YAML, and kustomize builds nothing with it: "+
		"mend the file, or remove the field: %s", strings.Join(j.walk.schemas, " or "), cause)
}

// plainly removes the mount point from an error, so that paths are those of the source.
func plainly(err error) error {
	return errors.New(strings.ReplaceAll(strings.ReplaceAll(err.Error(), mount+"/", ""), mount, "."))
}
