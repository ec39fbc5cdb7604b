package compose

import (
	"encoding/json"
	"maps"
	"path"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/kustomize"
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// generated returns the objects that the generators of a folder make, and reports whether it is
// certain that they are no others.
func (b *builder) generated(r *recipe) ([]unit, bool) {
	if len(r.generated) == 0 {
		return nil, true
	}
	fields, err := json.Marshal(r.generators)
	if err != nil {
		return nil, false
	}
	known := b.generators.Of(generatorKey{r.file, string(fields)}, b.job.Files, func(read kustomize.Reads) *origin {
		o := &origin{names: r.generated}
		o.run = func(steps []*step) ([]resource.Outcome, error) {
			return runGenerators(read, b.job.Files, r, steps)
		}
		o.after(nil)
		read = kustomize.Reads{} // with steps it reads the same
		return o
	})
	maps.Copy(b.reads, known.Reads)
	units := known.Value.units()
	return units, units != nil
}

// generatorKey names generators by the kustomization.yaml that has them, and by their fields.
type generatorKey struct{ file, fields string }

func runGenerators(read kustomize.Reads, files *tree.Tree, r *recipe, steps []*step) ([]resource.Outcome, error) {
	fields := maps.Clone(r.generators)
	for _, s := range steps {
		maps.Copy(fields, s.fields) // nothing but a namespace
	}
	kustomization, err := yaml.Marshal(fields)
	if err != nil {
		return nil, err
	}
	built, err := read.Run(files, map[string][]byte{r.file: kustomization}, path.Dir(r.file))
	return resource.OutcomesOf(built), err
}
