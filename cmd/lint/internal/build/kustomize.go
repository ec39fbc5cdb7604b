package build

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
)

// mount is the folder in which kustomize sees the files of a source. It is removed from
// errors. No file can name it, because it is another one in each process: an absolute path
// leads nowhere for Flux, and so must not lead into the tree here. Go seeds these numbers by
// the system; crypto/rand would take a twentieth of a short run to begin.
var mount = fmt.Sprintf("/flux-remedy-%016x%016x", rand.Uint64(), rand.Uint64())

// maxText is the size in bytes above which an object is larger than any that an API
// server takes, however it is made.
const maxText = 10 << 20

// kustomizeMutex guards kustomize's schema and the limit of a JSON patch's copies, which
// are package state.
var kustomizeMutex sync.Mutex

// run builds a folder with the options of kustomize-controller. Parsing the schema takes
// most of the time, so it is reset only after a build that has changed it, of which kustomize
// itself is asked. A schema of the build's own is added to the built-in one, as
// github.com/fluxcd/pkg/kustomize does.
func run(files filesys.FileSystem, dir string, ownSchema bool) ([]*resource.Resource, error) {
	kustomizeMutex.Lock()
	defer kustomizeMutex.Unlock()
	before := openapi.GetSchemaVersion()
	if ownSchema {
		openapi.Schema()
	}
	defer func() {
		if ownSchema || openapi.GetSchemaVersion() != before {
			openapi.ResetOpenAPI()
		}
	}()
	jsonpatch.AccumulatedCopySizeLimit = maxText
	var result resmap.ResMap
	err := recovered("building", func() (err error) {
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

// maxVariables is the size in bytes above which a ConfigMap is not kept: it holds
// something else than variables.
const maxVariables = 32 << 10

// fluxControllers are the Deployments by which an installation of Flux is known.
var fluxControllers = []string{"helm-controller", "kustomize-controller", "source-controller", "notification-controller"}

// isController reports whether a Deployment of a name runs a controller of Flux, or may run a shard
// of helm-controller.
func isController(name string) bool {
	return slices.Contains(fluxControllers, name) || strings.Contains(name, "helm-controller")
}

// isIrrelevant reports whether a resource does not matter for what Flux applies.
func (i identity) isIrrelevant(res *resource.Resource) bool {
	return isIrrelevant(i.kind, i.group, i.name, i.apiVersion, func() int {
		size := 0
		for _, value := range res.GetDataMap() {
			size += len(value)
		}
		return size
	})
}

func isIrrelevant(kindName, group, name, apiVersion string, dataSize func() int) bool {
	kind, ok := object.KindOf(kindName)
	switch {
	case object.Masked(kindName, apiVersion):
		return false // what it is shows later
	case !ok || group != kind.Group:
		return true
	case kind.Name == "Deployment":
		return !isController(name)
	case kind.Name == "CustomResourceDefinition":
		return !object.IsDefinition(name)
	case kind.Role == object.Variables:
		return dataSize() > maxVariables
	}
	return false
}
