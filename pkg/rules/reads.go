package rules

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// reads are the places of the input that a rule may read, by its id. The class is under "".
type reads map[string][]place

// MarshalJSON writes each place once, and for each rule the numbers of its places.
func (r reads) MarshalJSON() ([]byte, error) {
	var all writtenReads
	numbers := map[string]string{}
	all.Of = map[string]string{}
	for _, id := range sortedKeys(r) {
		var of []string
		for _, at := range r[id] {
			text := at.encode()
			if numbers[text] == "" {
				numbers[text] = strconv.Itoa(len(all.Places))
				all.Places = append(all.Places, text)
			}
			of = append(of, numbers[text])
		}
		all.Of[id] = strings.Join(of, " ")
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads what [reads.MarshalJSON] writes.
func (r *reads) UnmarshalJSON(data []byte) error {
	var all writtenReads
	if err := json.Unmarshal(data, &all); err != nil {
		return err
	}
	places := make([]place, len(all.Places))
	for i, text := range all.Places {
		places[i] = decodePlace(text)
	}
	*r = reads{}
	for id, numbers := range all.Of {
		for _, number := range strings.Fields(numbers) {
			i, err := strconv.Atoi(number)
			if err != nil || i < 0 || i >= len(places) {
				return fmt.Errorf("rule %s reads place %q", id, number)
			}
			(*r)[id] = append((*r)[id], places[i])
		}
	}
	return nil
}

// writtenReads is the JSON of [reads].
type writtenReads struct {
	Places []string          `json:"places"`
	Of     map[string]string `json:"of"`
}

// encode writes a place as text: an index after #, nothing for any step, keys after a dot.
func (p place) encode() string {
	steps := make([]string, len(p))
	for i, step := range p {
		switch step := step.(type) {
		case string:
			steps[i] = "." + step
		case int:
			steps[i] = "#" + strconv.Itoa(step)
		}
	}
	return strings.Join(steps, "\t")
}

func decodePlace(text string) place {
	out := place{}
	if text == "" {
		return out
	}
	for step := range strings.SplitSeq(text, "\t") {
		switch index, err := strconv.Atoi(strings.TrimPrefix(step, "#")); {
		case step == "":
			out = append(out, nil)
		case step[0] == '#' && err == nil:
			out = append(out, index)
		default:
			out = append(out, step[1:])
		}
	}
	return out
}

// readsOf finds what rules read in their compiled modules. Evaluation reaches the input by
// references that stand in the text of a rule, or of one that the rule refers to: no builtin
// returns it. So what those references name is all that a rule can depend on. Where a key is
// not known before the rule is evaluated, it may be any.
func readsOf(compiler *ast.Compiler, queries map[string]ast.Ref) reads {
	out := reads{}
	for id, ref := range queries {
		f := &referenceFinder{compiler: compiler, seen: map[*ast.Rule]bool{}, found: map[string]place{}}
		f.follow(ref)
		out[id] = f.places()
	}
	return out
}

// referenceFinder collects references to the input.
type referenceFinder struct {
	compiler *ast.Compiler
	seen     map[*ast.Rule]bool
	found    map[string]place
}

// follow visits the rules that a reference may be to.
func (f *referenceFinder) follow(ref ast.Ref) {
	for _, rule := range f.compiler.GetRulesDynamicWithOpts(ref, ast.RulesOptions{IncludeHiddenModules: true}) {
		if !f.seen[rule] {
			f.seen[rule] = true
			ast.NewGenericVisitor(f.visit).Walk(rule)
		}
	}
}

func (f *referenceFinder) visit(x any) bool {
	switch x := x.(type) {
	case ast.Ref:
		if at, ok := placeOf(x); ok {
			f.found[at.String()] = at
		} else if x.HasPrefix(ast.DefaultRootRef) {
			f.follow(x)
		}
		if len(x) > 1 {
			for _, term := range x[1:] {
				ast.NewGenericVisitor(f.visit).Walk(term)
			}
		}
		return true
	case ast.Var:
		if x.Equal(ast.InputRootDocument.Value) {
			f.found[place{}.String()] = place{}
		}
	}
	return false
}

// places returns what was found, without what is within another place.
func (f *referenceFinder) places() []place {
	var out []place
	for _, name := range sortedKeys(f.found) {
		at := f.found[name]
		if !slices.ContainsFunc(out, func(p place) bool { return p.covers(at) }) {
			out = append(out, at)
		}
	}
	return out
}

// placeOf returns the place that a reference to the input names; false for another one. A
// last step that may be any key means the whole.
func placeOf(ref ast.Ref) (place, bool) {
	if len(ref) == 0 || !ref[0].Equal(ast.InputRootDocument) {
		return nil, false
	}
	at := place{}
	for _, term := range ref[1:] {
		switch step := term.Value.(type) {
		case ast.String:
			at = append(at, string(step))
			continue
		case ast.Number:
			if i, ok := step.Int(); ok {
				at = append(at, i)
				continue
			}
		}
		at = append(at, nil)
	}
	for len(at) > 0 && at[len(at)-1] == nil {
		at = at[:len(at)-1]
	}
	return at, true
}

// regoKey writes a key as a step of a reference.
func regoKey(name string) string {
	if ast.IsVarCompatibleString(name) {
		return "." + name
	}
	return "[" + strings.TrimSpace(ast.String(name).String()) + "]"
}
