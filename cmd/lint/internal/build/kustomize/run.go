package kustomize

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
	"sync"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/kustomize/kyaml/openapi"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// mount is the folder in which kustomize sees the files of a source. It is removed from
// errors. No file can name it, because it is another one in each process: an absolute path
// leads nowhere for Flux, and so must not lead into the tree here. Go seeds these numbers by
// the system; crypto/rand would take a twentieth of a short run to begin.
var mount = fmt.Sprintf("/flux-remedy-%016x%016x", rand.Uint64(), rand.Uint64())

// mutex guards kustomize's schema and the limit of a JSON patch's copies, which are package state.
var mutex sync.Mutex

// Run builds a folder with the options of kustomize-controller, and notes what it reads. The files over those of the tree,
// by their paths, are not noted.
func (r Reads) Run(files *tree.Tree, over map[string][]byte, dir string) ([]*resource.Resource, error) {
	mounted := map[string][]byte{}
	for name, text := range over {
		mounted[path.Join(mount, name)] = text
	}
	return run(fileSystem{files.FileSystem(mount), r, files, mounted}, path.Join(mount, dir), false)
}

// run builds a folder. Parsing the schema takes most of the time, so it is reset only after a build that has changed it, of
// which kustomize itself is asked. A schema of the build's own is added to the built-in one, as
// github.com/fluxcd/pkg/kustomize does.
func run(files filesys.FileSystem, dir string, ownSchema bool) ([]*resource.Resource, error) {
	mutex.Lock()
	defer mutex.Unlock()
	before := openapi.GetSchemaVersion()
	if ownSchema {
		openapi.Schema()
	}
	defer func() {
		if ownSchema || openapi.GetSchemaVersion() != before {
			openapi.ResetOpenAPI()
		}
	}()
	jsonpatch.AccumulatedCopySizeLimit = object.MaxSize
	var result resmap.ResMap
	err := Recovered("building", func() (err error) {
		result, err = krusty.MakeKustomizer(&krusty.Options{
			LoadRestrictions: kustypes.LoadRestrictionsNone,
			PluginConfig:     kustypes.DisabledPluginConfig(),
		}).Run(files, dir)
		return err
	})
	if err != nil {
		return nil, err
	}
	return result.Resources(), nil
}

// Apply applies a JSON patch, which may copy no more than any object can hold.
func Apply(operations jsonpatch.Patch, data []byte) ([]byte, error) {
	mutex.Lock()
	defer mutex.Unlock()
	jsonpatch.AccumulatedCopySizeLimit = object.MaxSize
	return operations.Apply(data)
}

// Recovered calls f and turns a panic into an error: the parsers of kustomize panic on
// some malformed objects.
func Recovered(what string, f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("recovered from panic while %s: %v", what, p)
		}
	}()
	return f()
}

// plainly removes the mount point from an error, so that paths are those of the source.
func plainly(err error) error {
	return errors.New(strings.ReplaceAll(strings.ReplaceAll(err.Error(), mount+"/", ""), mount, "."))
}
