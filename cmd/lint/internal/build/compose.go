package build

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// Most builds list files, merge patches and set a namespace. That can be done on objects
// that are read once, in a fraction of the time that kustomize takes. Wherever what follows
// is not certain that kustomize would build the same, it gives up, and kustomize builds: if
// possible only the file in question, with what is done to it, or else everything. Only
// resources that kustomize knows nothing about are patched here, so that none of its schemas
// matter; the others are taken as they are, if kustomize builds each of them alone.

// composer composes one build.
type composer struct {
	parts *parts
	files *tree.Tree
	notes noted
	open  []string // folders that are being composed
}

// compose returns what kustomize would build, and reports whether it is certain of that.
func (j job) compose(read reads, parts *parts) (*Result, bool) {
	if j.hasRemotes() || j.walk.schema {
		return nil, false
	}
	c := &composer{parts: parts, files: j.files, notes: read.of(j.files, nil)}
	r, ok := c.root(j)
	if !ok {
		return nil, false
	}
	out := newMembers()
	if !c.target(path.Clean(j.dir), r, out) {
		return nil, false
	}
	if !c.parts.areSound(out) {
		return nil, false
	}
	return out.result(j.substitutes())
}

// root returns the recipe of the folder that is built, with the fields of the Flux
// Kustomization added.
func (c *composer) root(j job) (*recipe, bool) {
	dir := path.Clean(j.dir)
	r, ok := c.recipe(dir, false)
	if !ok {
		return nil, false
	}
	if r == nil {
		c.note(dir, true)
		r = &recipe{}
		for _, name := range j.source.scan(dir, anywhere) {
			r.resources = append(r.resources, relative(dir, name))
		}
	}
	added := *r
	if len(added.resources) == 0 || !added.add(j.ks) || !c.addComponents(dir, &added, j.ks) {
		return nil, false // kustomize is given something else then
	}
	return &added, true
}

// addComponents adds the components of a Flux Kustomization.
func (c *composer) addComponents(dir string, r *recipe, ks map[string]any) bool {
	list := object.At(ks, "spec", "components")
	if list == nil {
		return true
	}
	added, ok := texts(list)
	r.components = slices.Clone(r.components)
	for _, name := range added {
		c.note(path.Join(dir, name), false)
		if !isLocalPath(name) || !c.files.Exists(path.Join(dir, name)) {
			return false
		}
		r.components = append(r.components, name)
	}
	return ok
}

// relative returns a path below a folder, as seen from there.
func relative(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimPrefix(name, dir+"/")
}

// note records that the build depends on what is at a path.
func (c *composer) note(name string, below bool) { c.notes.note(path.Join(mount, name), below) }

// recipe returns what the kustomization.yaml of a folder says; nil if it has none.
func (c *composer) recipe(dir string, component bool) (r *recipe, certain bool) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		at := path.Join(dir, name)
		c.note(at, false)
		switch f := c.files.File(at); {
		case c.files.IsDir(at), f != nil && r != nil:
			return nil, false
		case f != nil:
			known := c.parts.recipe(f)
			if known == nil || known.component != component {
				return nil, false
			}
			here := *known
			r, here.file = &here, at
		}
	}
	return r, true
}

// target adds to members what the kustomization.yaml of a folder takes and makes of it.
func (c *composer) target(dir string, r *recipe, members *members) bool {
	c.open = append(c.open, dir)
	defer func() { c.open = c.open[:len(c.open)-1] }()
	for _, entry := range r.resources {
		if !c.resource(dir, entry, members) {
			return false
		}
	}
	if units, ok := c.generated(dir, r); !ok || !members.add(units) {
		return false
	}
	for _, entry := range r.components {
		if at, ok := c.folder(dir, entry); !ok || !c.inner(at, true, members) {
			return false
		}
	}
	for _, p := range r.patches {
		text, ok := p.text, true
		if p.file != "" {
			text, ok = c.text(dir, p.file)
		}
		if !ok || !c.parts.patch(text, p.target).apply(members) {
			return false
		}
	}
	return r.namespace == "" || members.move(r.namespace)
}

// resource adds an entry of resources: a file or a folder.
func (c *composer) resource(dir, entry string, members *members) bool {
	at := path.Join(dir, entry)
	c.note(at, false)
	if !isLocalEntry(entry) || !isInside(at) {
		return false
	}
	if f := c.files.File(at); f != nil {
		units, ok := c.parts.units(f)
		return ok && members.add(units)
	}
	inner := newMembers()
	folder, ok := c.folder(dir, entry)
	return ok && c.inner(folder, false, inner) && members.addAll(inner)
}

// inner adds what a folder takes and makes of it.
func (c *composer) inner(dir string, component bool, members *members) bool {
	r, ok := c.recipe(dir, component)
	return ok && r != nil && c.target(dir, r, members)
}

// folder returns the folder that an entry names, if kustomize would take it: one that
// holds a folder which is being built is a circle.
func (c *composer) folder(dir, entry string) (string, bool) {
	at := path.Join(dir, entry)
	c.note(at, false)
	circle := func(open string) bool { return at == "." || open == at || strings.HasPrefix(open, at+"/") }
	return at, isLocalEntry(entry) && isInside(at) && c.files.IsDir(at) && !slices.ContainsFunc(c.open, circle)
}

// text returns the text of a file.
func (c *composer) text(dir, entry string) (string, bool) {
	at := path.Join(dir, entry)
	c.note(at, false)
	f := c.files.File(at)
	if f == nil || !isLocalEntry(entry) {
		return "", false
	}
	data, err := f.Data()
	return string(data), err == nil
}

// isLocalEntry reports whether an entry of a kustomization.yaml is a path and nothing else.
func isLocalEntry(entry string) bool {
	return entry != "" && !isRemote(entry) && !path.IsAbs(entry) && !strings.ContainsAny(entry, " \t\n\\:?*") && path.Clean(entry) != "."
}

func isInside(at string) bool { return at != ".." && !strings.HasPrefix(at, "../") }
