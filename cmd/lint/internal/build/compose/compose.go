package compose

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/konfig"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

// Job is a build that may be composed.
type Job struct {
	kustomize.Job
	// Scan lists what Flux takes from the folder if it has no kustomization.yaml.
	Scan func() []string
}

// Composition is the result of a build.
type Composition struct {
	Outcomes []resource.Outcome
	// Aside are the targets of patches that are set aside, as [kustomize.Job.Build] returns them.
	Aside []string
}

// Build returns what kustomize would build, or why that is not certain, and notes what it reads. A nil Composer is certain of
// nothing.
func (c *Composer) Build(j Job, read kustomize.Reads) (out Composition, doubt string) {
	err := kustomize.Recovered("composing", func() error { // also because a library panics
		out, doubt = c.build(j, read)
		return nil
	})
	if err != nil {
		return Composition{}, err.Error()
	}
	return out, doubt
}

func (c *Composer) build(j Job, read kustomize.Reads) (out Composition, doubt string) {
	b := &builder{Composer: c, job: j, reads: read}
	switch {
	case c == nil:
		return out, "nothing is composed"
	case j.Schema:
		return out, "a schema of its own"
	}
	r, ok := b.root()
	if !ok {
		return out, cmp.Or(b.why, "fields of the Flux Kustomization")
	}
	members := newMembers()
	if !b.target(path.Clean(j.Dir), r, members) {
		return out, cmp.Or(b.why, "what kustomize refuses")
	}
	if !members.areSound() {
		return out, "an object that kustomize does not build alone"
	}
	if out.Outcomes, ok = members.outcomes(j.Substitutes()); !ok {
		return Composition{}, "an object that is built alone"
	}
	out.Aside = b.aside
	return out, ""
}

// builder composes one build.
type builder struct {
	*Composer
	job   Job
	reads kustomize.Reads
	open  []string // folders that are being composed
	why   string   // the first doubt
	aside []string // targets of patches that are left out
}

// doubt notes why it is not certain what kustomize would build, and returns false.
func (b *builder) doubt(why string) bool {
	b.why = cmp.Or(b.why, why)
	return false
}

// root returns the recipe of the folder that is built, with the fields of the Flux
// Kustomization added.
func (b *builder) root() (*recipe, bool) {
	dir := path.Clean(b.job.Dir)
	r, ok := b.recipe(dir, false)
	if !ok {
		return nil, false
	}
	if r == nil {
		b.note(dir, true)
		r = &recipe{}
		for _, name := range b.job.Scan() {
			r.resources = append(r.resources, relative(dir, name))
		}
	}
	added := *r
	ok = added.add(b.job.KS) && b.addComponents(dir, &added, b.job.KS)
	if len(added.resources) == 0 && (r.file == "" || len(added.generated)+len(added.components) > 0) {
		return nil, false // kustomize is given something else then
	}
	return &added, ok
}

// addComponents adds the components of a Flux Kustomization.
func (b *builder) addComponents(dir string, r *recipe, ks map[string]any) bool {
	list := object.At(ks, "spec", "components")
	if list == nil {
		return true
	}
	added, ok := texts(list)
	r.components = slices.Clone(r.components)
	for _, name := range added {
		b.note(path.Join(dir, name), false)
		if !kustomize.IsLocalPath(name) || !b.job.Files.Exists(path.Join(dir, name)) {
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
func (b *builder) note(name string, below bool) { b.reads.Note(b.job.Files, name, below) }

// recipe returns what the kustomization.yaml of a folder says; nil if it has none.
func (b *builder) recipe(dir string, component bool) (r *recipe, certain bool) {
	for _, name := range konfig.RecognizedKustomizationFileNames() {
		at := path.Join(dir, name)
		b.note(at, false)
		switch f := b.job.Files.File(at); {
		case b.job.Files.IsDir(at), f != nil && r != nil:
			return nil, false
		case f != nil:
			known := b.recipeIn(f)
			if known.doubt != "" || known.component != component {
				return nil, b.doubt(cmp.Or(known.doubt, "a component as a resource"))
			}
			here := *known
			r, here.file = &here, at
		}
	}
	return r, true
}

// target adds to members what the kustomization.yaml of a folder takes and makes of it.
func (b *builder) target(dir string, r *recipe, members *members) bool {
	b.open = append(b.open, dir)
	defer func() { b.open = b.open[:len(b.open)-1] }()
	for _, entry := range r.resources {
		if !b.resource(dir, entry, members) {
			return b.doubt("a file or folder")
		}
	}
	if units, ok := b.generated(r); !ok || !members.add(units) {
		return b.doubt("a generator")
	}
	for _, entry := range r.components {
		if at, ok := b.folder(dir, entry); !ok || !b.inner(at, true, members) {
			return b.doubt("a component")
		}
	}
	for _, p := range r.patches {
		if !b.patch(dir, p, members) {
			return b.doubt("a patch")
		}
	}
	if r.namespace != "" && !members.move(r.namespace) {
		return b.doubt("two objects of one name")
	}
	return members.label(r.labels) || b.doubt("the field labels")
}

// patch applies a patch. Where its target may be in what would have to be fetched, it is set aside.
func (b *builder) patch(dir string, from recipePatch, members *members) bool {
	text, ok := from.text, true
	if from.file != "" {
		text, ok = b.text(dir, from.file)
	}
	if !ok {
		return false
	}
	p := b.patchOf(text, from.target)
	if id := p.missing(members); id != "" && b.job.Remotes {
		b.aside = append(b.aside, id)
		return true
	}
	again := func(u unit) bool { return slices.Contains(b.aside, u.id.String()) }
	return p.apply(members) && (p.target != nil || !slices.ContainsFunc(p.units, again))
}

// resource adds an entry of resources: a file or a folder.
func (b *builder) resource(dir, entry string, members *members) bool {
	at := path.Join(dir, entry)
	b.note(at, false)
	if !isLocalEntry(entry) || !isInside(at) {
		return false
	}
	if f := b.job.Files.File(at); f != nil {
		units, ok := b.units(f)
		return ok && members.add(units)
	}
	inner := newMembers()
	folder, ok := b.folder(dir, entry)
	return ok && b.inner(folder, false, inner) && members.addAll(inner)
}

// inner adds what a folder takes and makes of it.
func (b *builder) inner(dir string, component bool, members *members) bool {
	r, ok := b.recipe(dir, component)
	return ok && r != nil && b.target(dir, r, members)
}

// folder returns the folder that an entry names, if kustomize would take it: one that
// holds a folder which is being built is a circle.
func (b *builder) folder(dir, entry string) (string, bool) {
	at := path.Join(dir, entry)
	b.note(at, false)
	circle := func(open string) bool { return at == "." || open == at || strings.HasPrefix(open, at+"/") }
	return at, isLocalEntry(entry) && isInside(at) && b.job.Files.IsDir(at) && !slices.ContainsFunc(b.open, circle)
}

// text returns the text of a file.
func (b *builder) text(dir, entry string) (string, bool) {
	at := path.Join(dir, entry)
	b.note(at, false)
	f := b.job.Files.File(at)
	if f == nil || !isLocalEntry(entry) {
		return "", false
	}
	data, err := f.Data()
	return string(data), err == nil
}

// isLocalEntry reports whether an entry of a kustomization.yaml is a path and nothing else.
func isLocalEntry(entry string) bool {
	return entry != "" && !kustomize.IsRemote(entry) && !path.IsAbs(entry) && !strings.ContainsAny(entry, " \t\n\\:?*") && path.Clean(entry) != "."
}

func isInside(at string) bool { return at != ".." && !strings.HasPrefix(at, "../") }
