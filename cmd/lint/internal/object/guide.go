package object

import "slices"

// Guide says what in a text may decide what else Flux builds.
type Guide struct {
	// Steers is true if it may hold an object that applies or renders others, one that makes sources,
	// or a source.
	Steers bool
	// Supplies is true if it may hold variables for substitution.
	Supplies bool
	// Installs is true if it may hold what says which Flux a cluster has.
	Installs bool
}

var (
	steering       = namesOf(steers)
	steeringGroups = groupsOf(steers)
	// renaming are the options of patches, and the paths in them, by which kustomize makes one object another.
	renaming = [][]byte{[]byte("allowKindChange"), []byte("allowNameChange"), []byte("/kind"), []byte("/apiVersion")}
	installs = [][]byte{[]byte("-controller"), []byte("instance")}
	supplies = append(namesOf(func(k Kind) bool { return k.Role == Variables }), []byte("configMapGenerator"), []byte("secretGenerator"))
)

func steers(k Kind) bool { return k.Role == Applier || k.Role == Source || k.Group == OperatorGroup }

// GuideOf looks for all of them. As other searches it may report too much, but never misses one.
func GuideOf(data []byte) Guide {
	return Guide{
		Steers:   hidesWords(data) || containsAny(data, renaming) || containsAny(data, steeringGroups) && containsAny(data, steering),
		Supplies: containsAny(data, supplies),
		Installs: containsAny(data, installs),
	}
}

// remaking are the fields of a kustomization.yaml by which objects may become others than are written.
var remaking = []string{
	"replacements", "vars", "generators", "transformers", "validators", "configurations", "crds", "openapi",
	"helmCharts", "helmChartInflationGenerator", "helmGlobals", "generatorOptions",
}

// Remakes reports whether a kustomization.yaml may make its objects others than are written.
func Remakes(kustomization map[string]any) bool {
	return slices.ContainsFunc(remaking, func(field string) bool { return kustomization[field] != nil })
}
