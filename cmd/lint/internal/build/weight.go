package build

import (
	"bytes"
	"path"
)

// maxWeight is the number of objects and folders that one build may take together. Each
// folder of overlays that is listed twice doubles what is below it.
const maxWeight = 50_000

// weight returns how many objects and folders a build takes together, each as often as
// it is listed.
func (s *Source) weight(dir string, ks map[string]any) int {
	sum := 0
	for _, name := range append([]string{"."}, addedComponents(ks)...) {
		name = path.Join(dir, name)
		sum = min(sum+s.weights.Of(name, func() int { return s.weightOf(name, map[string]int{}) }), 2*maxWeight)
	}
	return sum
}

// weightOf returns the weight of a file or a folder, at most a little more than may be, given those that are known.
func (s *Source) weightOf(name string, known map[string]int) int {
	if weight, is := known[name]; is {
		return weight
	}
	known[name] = 0 // kustomize refuses a circle
	sum := 1
	if s.IsDir(name) {
		for _, inner := range s.takenFrom(name) {
			sum = min(sum+s.weightOf(inner, known), 2*maxWeight)
		}
	} else if f := s.plain.File(name); f != nil {
		data, _ := f.Data()
		sum += bytes.Count(data, []byte("\n---"))
	}
	known[name] = sum
	return sum
}

// takenFrom lists what a build takes from a folder, configurations of plugins too.
func (s *Source) takenFrom(dir string) []string {
	if k := s.KustFileIn(dir); k != nil {
		return k.Folders()
	}
	return s.scan(dir, anywhere)
}
