package build

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"strings"

	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// origin is what objects of a build come from: a document, a file, or the generators of a folder. Where it is
// not certain what becomes of them, kustomize builds it alone.
type origin struct {
	// run builds it and then does what the steps say, one after another.
	run func(steps []*step) ([]*resource.Resource, error)
	// names are those of generated objects, without the suffix that they get; nil for a file.
	names []string
	built cores.Once[string, []outcome] // by steps
}

// step is what is done to objects: the fields of a kustomization.yaml, with a patch or a
// namespace.
type step struct {
	fields map[string]any
}

// outcome is what becomes of an object. Its nodes are large: they are kept only if it matters for
// what Flux applies.
type outcome struct {
	id      resid.ResId
	kept    *Resource // nil if it does not matter
	foreign string    // why Flux fails with it
	lacking string    // the same, unless what applies the build adds fields to it
	over    PassedOver
}

// units returns the objects without reading them; nil if kustomize does not build them.
func (o *origin) units() []unit {
	var out []unit
	for i, one := range o.after(nil) {
		u := unit{id: one.id, from: o, nth: i}
		if !isForeign(one.id.Group, one.id.Kind) {
			u.sound = &soundness{}
		}
		out = append(out, u)
	}
	return out
}

// after returns what becomes of the objects by steps; nil if kustomize does not build that.
func (o *origin) after(steps []*step) []outcome {
	var key strings.Builder
	for _, s := range steps {
		data, err := json.Marshal(s.fields)
		if err != nil {
			return nil
		}
		key.Write(data)
	}
	return o.built.Of(key.String(), func() []outcome { return o.build(steps) })
}

func (o *origin) build(steps []*step) []outcome {
	built, err := o.run(steps)
	if err != nil || o.names != nil && len(built) != len(o.names) {
		return nil
	}
	out := make([]outcome, len(built))
	for i, res := range built {
		out[i] = outcomeOf(res)
		if o.names != nil {
			out[i].id.Name = o.names[i]
		}
	}
	return out
}

func outcomeOf(res *resource.Resource) outcome {
	is := identityOf(res)
	out := outcome{id: res.CurId(), foreign: is.refused()}
	if !is.isIrrelevant(res) {
		out.kept = newResource(res)
		return out
	}
	out.look(is.inside(res))
	if usesVariables(res.YNode()) {
		out.over = newResource(res).needs()
	}
	return out
}

// ownKeys is in all labels and annotations by which kustomize can be told something.
const ownKeys = "config.k"

// all is a whole file, in the place of a document of it.
const all = -1

// runFile builds a file alone, or one of its documents. Each step is a kustomization.yaml that lists the one before it.
func runFile(f *tree.File, nth int, steps []*step) ([]*resource.Resource, error) {
	data, err := f.Data()
	if err != nil {
		return nil, err
	}
	text := string(data)
	if nth != all {
		text = documentsOf(text)[nth]
	}
	if strings.Contains(text, ownKeys) {
		return nil, errors.New("it says something to kustomize")
	}
	files := map[string][]byte{"0/object.yaml": []byte(text)}
	list := "object.yaml"
	for i := range len(steps) + 1 {
		fields := map[string]any{}
		if i > 0 {
			maps.Copy(fields, steps[i-1].fields)
		}
		fields["resources"] = []string{list}
		if files[fmt.Sprintf("%d/kustomization.yaml", i)], err = yaml.Marshal(fields); err != nil {
			return nil, err
		}
		list = fmt.Sprintf("../%d", i)
	}
	built, err := run(reads{}.of(tree.Of(nil).With(files), nil), fmt.Sprintf("%s/%d", mount, len(steps)), false)
	if err == nil && nth != all && len(built) != 1 {
		err = errors.New("it is not one object")
	}
	return built, err
}

// generated returns the objects that the generators of a folder make, and reports whether it is
// certain that they are no others.
func (c *composer) generated(r *recipe) ([]unit, bool) {
	if len(r.generated) == 0 {
		return nil, true
	}
	fields, err := json.Marshal(r.generators)
	if err != nil {
		return nil, false
	}
	known := c.parts.generators.of(generatorKey{r.file, string(fields)}, c.files, func(read reads) *origin {
		o := &origin{names: r.generated}
		o.run = func(steps []*step) ([]*resource.Resource, error) {
			return runGenerators(read.of(c.files, nil), r, steps)
		}
		o.after(nil)
		read = reads{} // with steps it reads the same
		return o
	})
	maps.Copy(c.notes.reads, known.reads)
	units := known.result.units()
	return units, units != nil
}

// generatorKey names generators by the kustomization.yaml that has them, and by their fields.
type generatorKey struct{ file, fields string }

func runGenerators(files noted, r *recipe, steps []*step) ([]*resource.Resource, error) {
	fields := maps.Clone(r.generators)
	for _, s := range steps {
		maps.Copy(fields, s.fields) // nothing but a namespace
	}
	kustomization, err := yaml.Marshal(fields)
	if err != nil {
		return nil, err
	}
	files.over = map[string][]byte{path.Join(mount, r.file): kustomization}
	return run(files, path.Join(mount, path.Dir(r.file)), false)
}
