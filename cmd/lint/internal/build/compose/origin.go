package compose

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cores"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// origin is what objects of a build come from: a document, a file, or the generators of a folder. Where it is
// not certain what becomes of them, kustomize builds it alone.
type origin struct {
	// run builds it and then does what the steps say, one after another.
	run func(steps []*step) ([]resource.Outcome, error)
	// names are those of generated objects, without the suffix that they get; nil for a file.
	names []string
	built cores.Once[string, []resource.Outcome] // by steps
}

// step is what is done to objects: the fields of a kustomization.yaml, with a patch or a
// namespace.
type step struct {
	fields map[string]any
}

// units returns the objects without reading them; nil if kustomize does not build them.
func (o *origin) units() []unit {
	var out []unit
	for i, one := range o.after(nil) {
		u := unit{id: one.ID, from: o, nth: i}
		if !isForeign(one.ID.Group, one.ID.Kind) {
			u.sound = &soundness{}
		}
		out = append(out, u)
	}
	return out
}

// after returns what becomes of the objects by steps; nil if kustomize does not build that.
func (o *origin) after(steps []*step) []resource.Outcome {
	var key strings.Builder
	for _, s := range steps {
		data, err := json.Marshal(s.fields)
		if err != nil {
			return nil
		}
		key.Write(data)
	}
	return o.built.Of(key.String(), func() []resource.Outcome { return o.build(steps) })
}

func (o *origin) build(steps []*step) []resource.Outcome {
	built, err := o.run(steps)
	if err != nil || o.names != nil && len(built) != len(o.names) {
		return nil
	}
	for i := range o.names {
		built[i].ID.Name = o.names[i]
	}
	return built
}

// ownKeys is in all labels and annotations by which kustomize can be told something.
const ownKeys = "config.k"

// all is a whole file, in the place of a document of it.
const all = -1

// runFile builds a file alone, or one of its documents. Each step is a kustomization.yaml that lists the one before it.
func runFile(f *tree.File, nth int, steps []*step) ([]resource.Outcome, error) {
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
	built, err := kustomize.Reads{}.Run(tree.Of(nil).With(files), nil, fmt.Sprint(len(steps)))
	if err == nil && nth != all && len(built) != 1 {
		err = errors.New("it is not one object")
	}
	return resource.OutcomesOf(built), err
}
