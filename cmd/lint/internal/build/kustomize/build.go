package kustomize

import (
	"path"

	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Job is a folder that is to be built for a Flux Kustomization.
type Job struct {
	Files *tree.Tree
	Dir   string
	KS    map[string]any // the Flux Kustomization
	Kusts []string       // the kustomization.yaml files that the build reads

	Schema  bool // the build has a schema of its own
	Remotes bool // something would have to be fetched
}

// Substitutes reports whether variables may be substituted in what is built.
func (j Job) Substitutes() bool { return object.At(j.KS, "spec", "postBuild") != nil }

// GenerateError is why a Flux Kustomization has no kustomization.yaml that could be built.
type GenerateError struct{ error }

// Build builds with kustomize, as kustomize-controller does. While that fails on a patch whose target is missing, and the
// target may be in what would have to be fetched, that patch is set aside and it runs again: aside are the ids of the
// targets.
func (j Job) Build(reads Reads) (built []*resource.Resource, aside []string, err error) {
	files := fileSystem{j.Files.FileSystem(mount), reads, j.Files, nil}
	dir := path.Join(mount, j.Dir)
	text, file, err := generate(files, dir, j.KS)
	if err != nil {
		return nil, nil, GenerateError{plainly(err)}
	}
	files.over = map[string][]byte{file: text}
	kusts := []string{file}
	for _, name := range j.Kusts {
		kusts = append(kusts, path.Join(mount, name))
	}
	for {
		built, err := run(files, dir, j.Schema)
		if err == nil {
			return built, aside, nil
		}
		id, ok := missingTarget(err)
		if !ok || !j.Remotes || !cutPatches(files, kusts, id) {
			return nil, aside, plainly(err)
		}
		aside = append(aside, id)
	}
}
