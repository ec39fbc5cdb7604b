package rules

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// Engine judges releases by compiled policies under a configuration. It is safe
// for concurrent use.
type Engine struct {
	*compiled
	config   *Config
	settings map[string]RuleConfig                   // by rule id, never by an alias
	limits   map[release.Tier]func() (limits, error) // see limitsOf
	notes    []string
	bundle   string             // revision; empty without one
	together *rego.Memory[told] // what all rules have said
}

// New compiles the policies of one or more file systems. The first holds the
// entrypoint, the library and the schema of the input, laid out as in the package
// policies; the others only add rules. The engine has the empty configuration;
// [Engine.Under] returns one with another.
func New(_ context.Context, sources ...fs.FS) (*Engine, error) {
	if len(sources) == 0 {
		return nil, errors.New("compile policies: no source given")
	}
	compiled, err := compile(sources, sections)
	if err != nil {
		return nil, err
	}
	return (&Engine{compiled: compiled}).Under(&Config{})
}

// Rules lists the rules by category and id.
func (e *Engine) Rules() []Rule { return slices.Clone(e.rules) }

// Rule returns the rule of an id, and whether there is one. Aliases are not found;
// see [Engine.Named].
func (e *Engine) Rule(id string) (Rule, bool) {
	at := slices.IndexFunc(e.rules, func(r Rule) bool { return r.ID == id })
	if at < 0 {
		return Rule{}, false
	}
	return e.rules[at], true
}
