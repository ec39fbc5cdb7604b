package build

import (
	"cmp"
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
	why   string   // the first doubt

	remotes bool     // something would have to be fetched
	aside   []string // targets of patches that are left out
}

// compose returns what kustomize would build, or why that is not certain.
func (j job) compose(read reads, parts *parts) (out *Result, doubt string) {
	c := &composer{parts: parts, files: j.files, notes: read.of(j.files, nil), remotes: j.hasRemotes()}
	if len(j.walk.schemas) > 0 {
		return nil, "a schema of its own"
	}
	r, ok := c.root(j)
	if !ok {
		return nil, cmp.Or(c.why, "fields of the Flux Kustomization")
	}
	members := newMembers()
	if !c.target(path.Clean(j.dir), r, members) {
		return nil, cmp.Or(c.why, "what kustomize refuses")
	}
	if !c.parts.areSound(members) {
		return nil, "an object that kustomize does not build alone"
	}
	if out, ok = members.result(j.substitutes()); !ok {
		return nil, "an object that is built alone"
	}
	out.SetAside = c.aside
	return out, ""
}

// doubt notes why it is not certain what kustomize would build, and returns false.
func (c *composer) doubt(why string) bool {
	c.why = cmp.Or(c.why, why)
	return false
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
	ok = added.add(j.ks) && c.addComponents(dir, &added, j.ks)
	if len(added.resources) == 0 && (r.file == "" || len(added.generated)+len(added.components) > 0) {
		return nil, false // kustomize is given something else then
	}
	return &added, ok
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
			if known.doubt != "" || known.component != component {
				return nil, c.doubt(cmp.Or(known.doubt, "a component as a resource"))
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
			return c.doubt("a file or folder")
		}
	}
	if units, ok := c.generated(r); !ok || !members.add(units) {
		return c.doubt("a generator")
	}
	for _, entry := range r.components {
		if at, ok := c.folder(dir, entry); !ok || !c.inner(at, true, members) {
			return c.doubt("a component")
		}
	}
	for _, p := range r.patches {
		if !c.patch(dir, p, members) {
			return c.doubt("a patch")
		}
	}
	if r.namespace != "" && !members.move(r.namespace) {
		return c.doubt("two objects of one name")
	}
	return members.label(r.labels, r.labeling) || c.doubt("the field labels")
}

// patch applies a patch. Where its target may be in what would have to be fetched, it is set aside.
func (c *composer) patch(dir string, from recipePatch, members *members) bool {
	text, ok := from.text, true
	if from.file != "" {
		text, ok = c.text(dir, from.file)
	}
	if !ok {
		return false
	}
	p := c.parts.patch(text, from.target)
	if id := p.missing(members); id != "" && c.remotes {
		c.aside = append(c.aside, id)
		return true
	}
	again := func(u unit) bool { return slices.Contains(c.aside, u.id.String()) }
	return p.apply(members) && (p.target != nil || !slices.ContainsFunc(p.units, again))
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
