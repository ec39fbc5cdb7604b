package flux

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	securefs "github.com/fluxcd/pkg/kustomize/filesys"
	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	kustypes "sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// built is what a folder gives when a Flux Kustomization builds it, before
// the variables are put in.
type built struct {
	resources []*resource.Resource
	err       error
	// setAside are the patches whose targets must be fetched.
	setAside []string
	// strange says of resources that Flux would not know them, but was meant to.
	strange []string
}

// take keeps of the resources of a build those that can matter.
func (b *built) take(resources []*resource.Resource) {
	b.strange = nil
	for _, res := range resources {
		if text := noAPI(res); text != "" {
			b.strange = append(b.strange, text)
		}
	}
	b.resources = slices.DeleteFunc(resources, irrelevant)
}

// builder builds folders of artifacts, each with the same result only once.
type builder struct {
	done map[string]*built
}

// build gives what kustomize-controller would: the folder's kustomization.yaml
// (generated if there is none) with the fields of the Flux Kustomization
// added, built. If traces are in the way, it is built once more without them.
func (b *builder) build(a *artifact, dir string, ks map[string]any) *built {
	key := buildKey(a, dir, ks)
	if out, ok := b.done[key]; ok {
		return out
	}
	out := b.try(a, dir, ks)
	if out.err != nil {
		out = a.withoutTraces(dir, func() *built { return b.try(a, dir, untrace(ks)) })
	}
	b.done[key] = out
	return out
}

func buildKey(a *artifact, dir string, ks map[string]any) string {
	spec, _ := yaml.Marshal(ks["spec"])
	return fmt.Sprintf("%s\x00%s\x00%x", a.dir, dir, sha256.Sum256(spec))
}

// try builds, setting aside one patch after the other whose target must be
// fetched and so is unknown.
func (b *builder) try(a *artifact, dir string, ks map[string]any) *built {
	out := &built{}
	_, kusts := a.closure(dir)
	generator := fluxkustomize.NewGenerator(a.dir, unstructured.Unstructured{Object: ks})
	text, file, action, err := generator.GenerateManifest(filepath.Join(a.dir, dir))
	if err != nil {
		out.err = a.shorten(err)
		return out
	}
	saved := newSaved()
	defer saved.restore()
	if action == fluxkustomize.CreatedAction {
		saved.missing(file)
	}
	saved.write(file, text)
	names := []string{file}
	for _, k := range kusts {
		names = append(names, filepath.Join(a.dir, k.name))
	}
	for {
		resources, err := run(a.dir, filepath.Join(a.dir, dir), hasSchema(kusts))
		out.take(resources)
		out.err = nil
		if err == nil {
			return out
		}
		out.err = a.shorten(err)
		id, ok := missingTarget(err)
		if !ok || !a.hasRemote(kusts) || !saved.cut(names, id) {
			return out
		}
		out.setAside = append(out.setAside, id)
	}
}

func (a *artifact) hasRemote(kusts []*kustFile) bool {
	return slices.ContainsFunc(kusts, func(k *kustFile) bool { return len(a.set[k.name]) > 0 })
}

func hasSchema(kusts []*kustFile) bool {
	return slices.ContainsFunc(kusts, func(k *kustFile) bool { return k.object["openapi"] != nil })
}

// shorten takes the place of the copy out of an error.
func (a *artifact) shorten(err error) error {
	text := strings.ReplaceAll(err.Error(), a.dir+string(filepath.Separator), "")
	text = strings.ReplaceAll(text, a.dir, ".")
	return errors.New(copyPath.ReplaceAllString(text, ""))
}

// copyPath matches the place of a copy that contains this one.
var copyPath = regexp.MustCompile(`/\S*/flux-remedy-\d+/(source|artifact)-\d+/`)

// buildMutex is needed because kustomize keeps its schema in a package.
var buildMutex sync.Mutex

// run builds a folder with the options of kustomize-controller. It is
// [fluxkustomize.Build] but for the schema, which takes most of the time and
// is read again only after a build that brought one of its own.
func run(root, dir string, ownSchema bool) (resources []*resource.Resource, err error) {
	buildMutex.Lock()
	defer buildMutex.Unlock()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("kustomize failed: %v", p)
		}
	}()
	fs, err := securefs.MakeFsOnDiskSecure(root)
	if err != nil {
		return nil, err
	}
	if ownSchema {
		openapi.ResetOpenAPI()
		defer openapi.ResetOpenAPI()
	}
	defer quiet()()
	kustomizer := krusty.MakeKustomizer(&krusty.Options{
		LoadRestrictions: kustypes.LoadRestrictionsNone,
		PluginConfig:     kustypes.DisabledPluginConfig(),
	})
	var result resmap.ResMap
	if result, err = kustomizer.Run(fs, dir); err != nil {
		return nil, err
	}
	return result.Resources(), nil
}

// kept are the kinds that are followed or looked up, with their groups.
var kept = map[string]string{
	"HelmRelease": "helm.toolkit.fluxcd.io", "Kustomization": "kustomize.toolkit.fluxcd.io",
	"GitRepository": "source.toolkit.fluxcd.io", "OCIRepository": "source.toolkit.fluxcd.io",
	"Bucket": "source.toolkit.fluxcd.io", "ArtifactGenerator": "source.extensions.fluxcd.io",
	"ResourceSet": "fluxcd.controlplane.io", "FluxInstance": "fluxcd.controlplane.io",
	"ConfigMap": "", "Secret": "", "Namespace": "", "Deployment": "apps",
}

// maxVariables is the length of a ConfigMap above which it holds something
// else than variables.
const maxVariables = 32 << 10

func irrelevant(res *resource.Resource) bool {
	group, ok := kept[res.GetKind()]
	switch {
	case !ok || res.GetGvk().Group != group:
		return true
	case res.GetKind() == "Deployment":
		return res.GetName() != "helm-controller"
	case res.GetKind() == "ConfigMap" || res.GetKind() == "Secret":
		size := 0
		for _, value := range res.GetDataMap() {
			size += len(value)
		}
		return size > maxVariables
	}
	return false
}

// quiet keeps kustomize's notes on deprecated fields, which it writes to the
// process's standard error, from the user.
func quiet() (restore func()) {
	old := os.Stderr
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return func() {}
	}
	os.Stderr = null
	return func() {
		os.Stderr = old
		_ = null.Close()
	}
}
