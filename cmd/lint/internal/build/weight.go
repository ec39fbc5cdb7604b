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
	sum := s.weightOf(path.Clean(dir))
	for _, name := range addedComponents(ks) {
		sum = min(sum+s.weightOf(path.Join(dir, name)), 2*maxWeight)
	}
	return sum
}

// weightOf returns the weight of a file or a folder, at most a little more than may be.
func (s *Source) weightOf(name string) int {
	if weight, known := s.weights[name]; known {
		return weight
	}
	s.weights[name] = 0 // kustomize refuses a circle
	sum := 1
	if s.IsDir(name) {
		for _, inner := range s.takenFrom(name) {
			sum = min(sum+s.weightOf(inner), 2*maxWeight)
		}
	} else if f := s.plain.File(name); f != nil {
		data, _ := f.Data()
		sum += bytes.Count(data, []byte("\n---"))
	}
	s.weights[name] = sum
	return sum
}

// takenFrom lists what a build takes from a folder, configurations of plugins too.
func (s *Source) takenFrom(dir string) []string {
	if k := s.KustFileIn(dir); k != nil {
		return k.Folders()
	}
	return s.scan(dir, anywhere)
}
