package build

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/compose"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
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
	packing      tree.Packing
	results      kustomize.Memory[buildKey, *Result]
	composer     *compose.Composer
	sets         cores.Once[[sha256.Size]byte, []byte] // what jobs of Render have given, as JSON
	refused      cores.Once[[sha256.Size]byte, string] // why Kustomizations are refused
	patched      cores.Once[[sha256.Size]byte, []byte] // what Patch has given, as JSON
	definitions  definitions
}

// NewBuilder returns a builder with empty caches.
func NewBuilder() *Builder {
	table := &trace.Table{}
	return &Builder{
		Table: table, Render: sandbox.Render, Step: func(string) func() { return func() {} },
		composer: compose.New(), instrumenter: &instrumenter{table: table},
	}
}

// Parse reads a file of a tree as YAML.
func (b *Builder) Parse(f *tree.File) (*yamledit.File, error) {
	return b.instrumenter.contents.parse(f)
}

// Look searches a file, once for each content.
func (b *Builder) Look(f *tree.File) Look { return b.instrumenter.look(f) }

// Source returns a source with the files that Flux would pack. The name is for people;
// own is true for a whole repository, see [Source.Own].
func (b *Builder) Source(name string, own bool, files *tree.Tree) *Source {
	return b.instrumenter.source(name, own, files)
}

// Assemble makes a source of files of others: each file by its path, with the
// source that it is taken from and its path there.
func (b *Builder) Assemble(name string, files map[string]Taken) *Source {
	written := map[string]*tree.File{}
	for as, taken := range files {
		written[as] = taken.From.written.File(taken.Path)
	}
	return b.instrumenter.source(name, false, tree.Of(written))
}

// Packed returns a whole repository as a source, without what the patterns of spec.ignore exclude.
func (b *Builder) Packed(name string, files *tree.Tree, ignore string) *Source {
	return b.Source(name, true, b.packing.Pack(files, ignore))
}

// Build builds a folder as kustomize-controller does for a Flux Kustomization: first
// with shadows and, if that fails, without.
func (b *Builder) Build(s *Source, dir string, ks map[string]any) *Result {
	if s.weight(dir, ks) > maxWeight {
		return &Result{Err: fmt.Errorf("it takes more than %d objects and folders together, each as often as it is listed", maxWeight)}
	}
	for _, name := range addedComponents(ks) {
		if len(variables.Unknown(name)) > 0 {
			return &Result{Err: fmt.Errorf("spec.components names %s, and which folder that is is not known", variables.Unmark(name))}
		}
	}
	walk := s.Walk(dir, ks)
	defer b.Step("building " + nameOf(dir, ks))()
	out := b.built(job{s.job(dir, ks, walk, true), s, walk, b.composer})
	if out.Err != nil {
		out = b.built(job{s.job(dir, trace.Strip(ks), walk, false), s, walk, b.composer})
	}
	return out
}

func (b *Builder) built(j job) *Result { return b.results.Of(j.key(), j.Files, j.build).Value }

// nameOf returns what is built, for people.
func nameOf(dir string, ks map[string]any) string {
	if ks["kind"] == nil {
		return "folder " + dir
	}
	return "Kustomization " + variables.Unmark(object.FullName(ks))
}

// Job returns what is to be built of a folder for a Flux Kustomization, with shadows or without.
func (s *Source) Job(dir string, ks map[string]any, shadows bool) compose.Job {
	return s.job(dir, ks, s.Walk(dir, ks), shadows)
}

func (s *Source) job(dir string, ks map[string]any, walk *Walk, shadows bool) compose.Job {
	j := compose.Job{Job: kustomize.Job{Files: s.plain, Dir: dir, KS: ks, Schema: len(walk.schemas) > 0, Remotes: len(walk.Remotes) > 0}}
	if shadows {
		j.Files = s.traced
	}
	for _, k := range walk.Kusts {
		j.Kusts = append(j.Kusts, k.Path)
	}
	j.Scan = func() []string { return s.scan(dir, anywhere) }
	return j
}

// job is one build to be done.
type job struct {
	compose.Job
	source   *Source
	walk     *Walk
	composer *compose.Composer
}

// buildKey is the key of a build: two builds of one key are equal if all that they read
// is equal.
type buildKey struct {
	dir                  string
	spec                 [sha256.Size]byte
	remotes, substitutes bool
}

func (j job) key() buildKey {
	fields, _ := j.KS["spec"].(map[string]any)
	fields = maps.Clone(fields)
	delete(fields, "postBuild") // which comes after the build
	spec, _ := json.Marshal(fields)
	return buildKey{j.Dir, sha256.Sum256(spec), j.Remotes, j.Substitutes()}
}

// build composes or runs kustomize, and holds what was read against the walk: if there is more, it is not known what else
// was not seen.
func (j job) build(reads kustomize.Reads) *Result {
	out := &Result{}
	var composed compose.Composition
	if composed, out.Doubt = j.composer.Build(j.Job, reads); out.Doubt == "" {
		out.SetAside = composed.Aside
		for _, o := range composed.Outcomes {
			out.add(o, j.Substitutes())
		}
	} else {
		j.run(reads, out)
	}
	name := j.walk.unexpected(reads)
	if name == "" || out.Err != nil {
		return out
	}
	if file := j.unread(reads); file != "" {
		return &Result{Err: fmt.Errorf("what %s takes is not known, since it cannot be read", file)}
	}
	return &Result{Err: fmt.Errorf("it reads %s, which no field that Flux Remedy knows names", name)}
}

// unread returns the kustomization.yaml that the walk cannot read and that names what the build has read beside the walk; ""
// if none does.
func (j job) unread(reads kustomize.Reads) string {
	beside := map[string]bool{}
	for question := range reads {
		beside[question.Path] = !j.walk.asked[question.Path]
	}
	for _, file := range j.walk.Unread {
		words := strings.FieldsFunc(string(j.source.plain.File(file).Again()), func(r rune) bool { return strings.ContainsRune(" \t\r\n:;,'\"[]{}#=", r) })
		if slices.ContainsFunc(words, func(word string) bool { return beside[path.Join(path.Dir(file), word)] }) {
			return file
		}
	}
	return ""
}

// run adds to a result what kustomize builds.
func (j job) run(reads kustomize.Reads, out *Result) {
	built, aside, err := j.Job.Job.Build(reads)
	out.SetAside = aside
	switch {
	case err == nil:
		for _, res := range built {
			out.add(resource.OutcomeOf(res), j.Substitutes())
		}
		out.Copied = j.walk.copied(j.source, built)
	case j.walk.copies && !errors.As(err, &kustomize.GenerateError{}):
		out.Err = errCopied
	default:
		out.Err = j.ofSchema(err)
	}
}

// ofSchema says of kustomize's panic on a schema which files it may be in.
func (j job) ofSchema(err error) error {
	_, cause, found := strings.Cut(err.Error(), "invalid schema file: ")
	if !found || len(j.walk.schemas) == 0 {
		return err
	}
	return fmt.Errorf("%s, which the field openapi of a kustomization.yaml names, is no OpenAPI schema in JSON or YAML, and kustomize builds nothing with it: "+
		"mend the file, or remove the field: %s", strings.Join(j.walk.schemas, " or "), cause)
}
