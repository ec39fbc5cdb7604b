package judge

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Selection says of which rules findings are reported and repaired. The empty one is all
// rules.
type Selection struct {
	only  map[string]bool // nil for all
	named bool            // only names what is selected, not what is left
	// Notes say which names are old ones.
	Notes []string
}

// Select returns the selection of the rules and categories that are selected, or of all if
// none is, but for those that are ignored.
func Select(engine *rules.Engine, selected, ignored []string) (Selection, error) {
	if len(selected)+len(ignored) == 0 {
		return Selection{}, nil
	}
	s := Selection{only: map[string]bool{}, named: len(selected) > 0}
	for _, rule := range engine.Rules() {
		s.only[rule.ID] = len(selected) == 0
	}
	err := errors.Join(s.set(engine, "--select", selected, true), s.set(engine, "--ignore", ignored, false))
	if err == nil && !slices.Contains(slices.Collect(maps.Values(s.only)), true) {
		err = errors.New("--select and --ignore leave no rule")
	}
	return s, err
}

// set sets whether the rules of some names are reported.
func (s *Selection) set(engine *rules.Engine, flag string, names []string, reported bool) error {
	for _, name := range names {
		found := slices.DeleteFunc(engine.Rules(), func(r rules.Rule) bool { return r.Category != name })
		if len(found) == 0 {
			found = engine.Named(name)
		}
		if len(found) == 0 {
			return fmt.Errorf("%s %s: no such rule or category: \"flux-remedy rules\" lists them%s", flag, name, rules.DidYouMean(name, slices.Concat(engine.Categories(), engine.IDs())))
		}
		if renamed := engine.Renamed(name); renamed != "" {
			s.Notes = append(s.Notes, renamed)
		}
		for _, rule := range found {
			s.only[rule.ID] = reported
		}
	}
	return nil
}

// Has reports whether findings of a rule are reported. One that is no rule of the engine,
// as policy-weakened, is never left out.
func (s Selection) Has(rule string) bool {
	reported, known := s.only[rule]
	return reported || !known
}

// Names reports whether a rule is selected by its name or its category.
func (s Selection) Names(rule string) bool { return s.named && s.only[rule] }
