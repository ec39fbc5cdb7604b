package fleet

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/resource"
	"github.com/flux-remedy/remedy/cmd/lint/internal/fleet/entries"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// A cluster that nobody asks for is skimmed: it is walked for what the others have to do with it, which is
// what its Kustomizations are, and which files they read. A Kustomization is not built if nothing in its
// files and its patches can make an object that Flux follows, or a source: its files then count as read,
// as those of a build do, whether it fails or not. Substitution makes no such object of another one, for
// what matters is decided before it. Many files have a ConfigMap or a Secret. If one that was looked up may
// be in what was not built, the cluster is walked as a whole.

// skimmed is a Kustomization that was not built.
type skimmed struct {
	supplies []*tree.File // that may hold variables
	renames  bool         // the objects may have other names than are written
}

// skimming is what a walk leaves out of a cluster that nobody asks for.
type skimming struct {
	*lookup
	skims   bool // nobody asks for the cluster
	skimmed []skimmed
	blind   bool // it skims, and something was looked for that it leaves out
}

// skim reports whether a Kustomization need not be built, and notes it.
func (s *skimming) skim(k *entries.Kustomization) bool {
	if !s.skims {
		return false
	}
	out := skimmed{}
	for _, kust := range k.Walk().Kusts {
		if object.Remakes(kust.Object) {
			return false
		}
		out.renames = out.renames || kust.Object["namePrefix"] != nil || kust.Object["nameSuffix"] != nil
	}
	for _, name := range slices.Concat(k.Walk().Files, k.Walk().Parts) {
		f := k.Source.Files().File(name)
		guide, ok := s.sources.Guide(f)
		if !ok || guide.Steers || guide.Installs && s.evidence[installing] {
			return false
		}
		if guide.Supplies {
			out.supplies = append(out.supplies, f)
		}
	}
	own, _ := k.Object["spec"].(map[string]any)
	own = maps.Clone(own)
	delete(own, "sourceRef")
	out.renames = out.renames || own["namePrefix"] != nil || own["nameSuffix"] != nil
	if guide := object.GuideOf(fmt.Append(nil, own)); guide.Steers || guide.Installs && s.evidence[installing] {
		return false
	}
	s.coverage.Reach(k.Source, k.Walk())
	s.skimmed = append(s.skimmed, out)
	return true
}

// installing stands for all that may say which Flux a cluster has.
const installing = "what installs Flux"

// needs notes that a walk looks for a definition by its name, or for what installs Flux. One that skims has it
// from the next walk on.
func (s *skimming) needs(evidence string) {
	if s.skims && !s.evidence[evidence] {
		s.evidence[evidence], s.blind = true, true
	}
}

// minds reports whether an object matters to a walk: to one that skims, if it steers what else is built.
func (s *skimming) minds(res *resource.Resource) bool {
	kind, known := object.KindOf(res.Kind)
	switch {
	case !s.skims || !known || kind.Group == object.OperatorGroup:
		return true
	case kind.Name == "CustomResourceDefinition":
		return s.evidence[res.Name]
	case kind.Name == "Deployment", kind.Role == object.Judged:
		return s.evidence[installing]
	}
	return kind.Role != object.Notifies && kind.Role != object.Evidence && kind.Role != object.Charts
}

// overlooks reports whether what was looked up may be in what was not built.
func (s *skimming) overlooks() bool {
	for n := range s.asked {
		kind, name, _ := strings.Cut(n.key, "/")
		_, name, _ = strings.Cut(name, "/")
		if known, ok := object.KindOf(kind); name == "" || ok && known.Role != object.Variables {
			continue
		}
		if slices.ContainsFunc(s.skimmed, func(s skimmed) bool { return s.mayHold(name) }) {
			return true
		}
	}
	return false
}

// variableName matches a name that holds a variable, or may, because it is an alias.
var variableName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`name["']?\s*:\s*(?:[^\n]*\$\{|\*)`) })

// mayHold reports whether it may have a ConfigMap or a Secret of a name.
func (s skimmed) mayHold(name string) bool {
	return slices.ContainsFunc(s.supplies, func(f *tree.File) bool {
		data := f.Again()
		return s.renames || bytes.Contains(data, []byte(name)) || variableName().Match(data)
	})
}
