package flux

import (
	"context"
	"fmt"
	"maps"
	"path"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"sigs.k8s.io/kustomize/api/resource"
)

// found is a HelmRelease that a Kustomization applies.
type found struct {
	object  map[string]any
	reasons map[string]string // of the unknown variables in it
	by      *kustomization
	// template is the ResourceSet that it is rendered from; nil if it is not.
	template map[string]any
}

// cluster is one entry and what is applied from it.
type cluster struct {
	l       *loader
	name    string
	file    string   // that says what the entry is, relative to the root
	dir     string   // that is applied, relative to the root
	others  []string // the folders that the entries of other clusters apply
	entries []*kustomization
	// bootstrapped and instance tell what describes the entry: the file that flux
	// bootstrap writes, or a FluxInstance itself.
	bootstrapped, instance bool
	// controller is what the tree says of its helm-controller.
	controller release.Controller

	// own is the source that is the repository itself.
	own reference
	// orphan tells that nothing applies its entries: a leftover, or a part of a
	// cluster whose entry is not in the tree.
	orphan bool
	// loose tells that it is not known what applies its entries.
	loose bool

	// root is the folder that paths are relative to.
	root      string
	rootKnown bool

	// objects are what is applied, by the cluster that it lives in (the entry's
	// own or a spoke), then by kind/namespace/name.
	objects  map[string]map[string]applied
	applied  map[string]*kustomization // by id
	releases []found
	failed   []Undetermined

	asked          map[need]bool   // objects that were not there when needed
	taken          map[string]bool // files whose variables were taken for applied by hand
	wantsGenerator bool
}

const (
	maxPasses = 4
	maxDepth  = 32 // of Kustomizations that apply each other under ever new names
)

// resolve applies the entries, once more as long as an object that was missed
// has turned up: a ConfigMap with variables may be applied after it is needed.
func (c *cluster) resolve(ctx context.Context) error {
	c.objects = map[string]map[string]applied{}
	for range maxPasses {
		generators := c.countGenerators()
		c.applied, c.asked, c.wantsGenerator = map[string]*kustomization{}, map[need]bool{}, false
		c.taken = map[string]bool{}
		c.releases, c.failed = nil, nil
		for _, entry := range c.entries {
			if err := c.entry(ctx, entry); err != nil {
				return err
			}
		}
		if !c.turnedUp() && !c.outdated() && !(c.wantsGenerator && c.countGenerators() > generators) {
			break
		}
	}
	return nil
}

// turnedUp tells whether an object that was missed is there now.
func (c *cluster) turnedUp() bool {
	for at := range c.asked {
		if c.objects[at.cluster][at.key].object != nil {
			return true
		}
	}
	return false
}

// entry applies a Kustomization that may be in its own output: then the next
// run has it as the output says, until nothing changes.
func (c *cluster) entry(ctx context.Context, k *kustomization) error {
	stable := false
	for range maxPasses {
		self := c.self(k)
		stable = nested(self, "spec", "sourceRef") == nil || sameSpec(self, k.object)
		if stable {
			break
		}
		k.object = self
	}
	if k.source != nil && c.dir == "" {
		c.dir = path.Join(c.root, k.dir)
	}
	if !stable {
		c.fail(k, "applies itself, each time with other settings")
	}
	return c.apply(ctx, k)
}

// self gives the Kustomization as its own output has it; nil if it does not.
func (c *cluster) self(k *kustomization) map[string]any {
	if k.folder || c.locate(k) != "" {
		return nil
	}
	out := c.l.builder.build(k.source, k.dir, k.object)
	k.vars = c.variables(k)
	namespace, _ := nested(k.object, "metadata", "namespace").(string)
	name, _ := nested(k.object, "metadata", "name").(string)
	for _, res := range out.resources {
		if res.GetKind() == "Kustomization" && res.GetName() == name && res.GetNamespace() == namespace {
			object, _, err := k.vars.substitute(res)
			if err == nil {
				return object
			}
		}
	}
	return nil
}

// apply builds a Kustomization and what its output leads to.
func (c *cluster) apply(ctx context.Context, k *kustomization) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k.runner = c.runner(k)
	if first := c.applied[k.id()]; first != nil {
		c.again(k, first)
		return nil
	}
	c.applied[k.id()] = k
	if len(k.chain()) > maxDepth {
		c.fail(k, fmt.Sprintf("is applied by a chain of more than %d Kustomizations", maxDepth))
		return nil
	}
	if reason := c.locate(k); reason != "" {
		c.fail(k, reason)
		c.doubt(k)
		return nil
	}
	files, kusts := k.source.closure(k.dir)
	if reason := refused(k.object); reason != "" {
		c.fail(k, "is refused by the API server: "+reason)
		c.l.fail(k.source, files, "Kustomization "+k.name()+" is refused by the API server")
		return nil
	}
	out := c.l.builder.build(k.source, k.dir, k.object)
	for _, kust := range kusts {
		c.l.remotes(k.runner, k.source.set[kust.name])
	}
	if out.err != nil {
		c.fail(k, "cannot be built: "+oneLine(out.err.Error()))
		c.l.fail(k.source, files, "Kustomization "+k.name()+" cannot be built")
		return nil
	}
	for _, text := range out.strange {
		c.fail(k, text)
	}
	for _, id := range out.setAside {
		if kind, _, _ := strings.Cut(id, "."); traceable(kind) {
			c.fail(k, "patches "+id+", which is not in the tree: the patch is set aside")
		}
	}
	c.l.reach(k.source, files, kusts)
	k.vars = c.variables(k)
	var children []*kustomization
	for _, res := range out.resources {
		more, err := c.take(k, res)
		if err != nil {
			c.fail(k, fmt.Sprintf("has in %s %s: %s", res.GetKind(), res.GetName(), oneLine(err.Error())))
		}
		children = append(children, more...)
	}
	for _, child := range children {
		if err := c.apply(ctx, child); err != nil {
			return err
		}
	}
	return nil
}

// take puts the variables in a resource and keeps it; it gives the
// Kustomizations to follow, if it is one or holds some.
func (c *cluster) take(k *kustomization, res *resource.Resource) ([]*kustomization, error) {
	object, reasons, err := k.vars.substitute(res)
	if err != nil {
		return nil, err
	}
	commonMetadata(object, k.object)
	return c.keep(k, object, reasons), nil
}

func (c *cluster) keep(k *kustomization, object map[string]any, reasons map[string]string) []*kustomization {
	kind, _ := object["kind"].(string)
	c.put(kind+"/"+nameOf(object), applied{object, k})
	switch kind {
	case "HelmRelease":
		c.releases = append(c.releases, found{object: object, reasons: merged(k.reasons, reasons), by: k})
	case "ResourceSet":
		return c.resourceSet(k, object, reasons)
	case "Kustomization":
		child := &kustomization{object: object, parent: k, reasons: merged(k.reasons, reasons)}
		child.file, child.line = c.l.documentOf(object)
		return []*kustomization{child}
	}
	return nil
}

func merged(a, b map[string]string) map[string]string {
	if len(a) == 0 {
		return b
	}
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// again records a Kustomization that is met twice, if it is applied by what it
// applies or has other settings the second time: those of the first are
// followed. One that applies itself is no cycle: that is how Flux is
// bootstrapped.
func (c *cluster) again(k, first *kustomization) {
	names := []string{k.name()}
	for p := k.parent; p != nil; p = p.parent {
		names = append(names, p.name())
		if p.id() == k.id() && len(names) > 2 {
			c.fail(k, "is applied by what it applies: "+strings.Join(names, " by "))
			return
		}
	}
	if !sameSpec(k.object, first.object) {
		c.fail(k, "is applied twice, with different settings: only the first are followed")
	}
}

// fail records that a Kustomization could not be followed, for the cluster that
// would have run what it applies.
func (c *cluster) fail(k *kustomization, reason string) {
	c.failed = append(c.failed, Undetermined{
		File: k.file, Line: k.line, Cluster: c.runner(k),
		Reason: "Kustomization " + k.name() + " " + markers.ReplaceAllString(reason, "$${$1}"),
	})
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
