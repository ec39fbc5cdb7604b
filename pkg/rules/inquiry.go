package rules

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
)

// inquiry asks the policies about one release. What is remembered is not asked again.
type inquiry struct {
	*Engine
	release *release.Release
	input   map[string]any
	parts   [][]byte // of the input, at the places of the questions; made when they are needed
	marks   []mark
	// keys are those of questions without an answer, by name. Only these are evaluated.
	keys    map[string]memoryKey
	answers map[string]answer
	*evaluation
}

// inquire begins an inquiry. The caller ends it.
func (e *Engine) inquire(ctx context.Context, r *release.Release) (*inquiry, error) {
	input, err := e.inputOf(r)
	if err != nil {
		return nil, err
	}
	q := &inquiry{
		Engine: e, release: r, input: input, parts: make([][]byte, len(e.questions.places)), marks: marksOf(r),
		keys: map[string]memoryKey{}, answers: map[string]answer{},
	}
	var sections []string
	each := append([]*question{&e.questions.class}, e.asked(r)...)
	for _, question := range each {
		if !q.recall(question) {
			sections = append(sections, question.sections...)
		}
	}
	q.evaluation, err = e.evaluation(ctx, input, sections)
	return q, err
}

// recall looks for the answer to a question, and reports whether it is remembered.
func (q *inquiry) recall(question *question) bool {
	if question.whole {
		return false
	}
	key := q.key(question)
	found, ok := q.memory.recall(key)
	if ok {
		q.answers[question.name] = found
	} else {
		q.keys[question.name] = key
	}
	return ok
}

// key returns the hash of a question and of all that it reads.
func (q *inquiry) key(question *question) memoryKey {
	var room [1024]byte
	text := appendText(room[:0], question.name)
	for _, i := range question.parts {
		if q.parts[i] == nil {
			part, ok := appendAt(nil, q.input, q.questions.places[i])
			if !ok {
				part = []byte{'-'}
			}
			q.parts[i] = part
		}
		text = append(text, q.parts[i]...)
	}
	for _, m := range q.touching(question) {
		text = m.append(text)
	}
	return sha256.Sum256(text)
}

// answer returns the answer to a question.
func (q *inquiry) answer(question *question) (answer, error) {
	if known, ok := q.answers[question.name]; ok {
		return known, nil
	}
	out, err := q.evaluate(question)
	if err != nil {
		return out, err
	}
	q.answers[question.name] = out
	if key, ok := q.keys[question.name]; ok {
		q.memory.remember(key, out)
	}
	return out, nil
}

func (q *inquiry) evaluate(question *question) (out answer, err error) {
	touching := q.touching(question)
	if len(touching) > 0 {
		if out.open = q.unknownIn(question, touching); len(out.open) > 0 {
			return out, q.ctx.Err()
		}
	}
	term, err := q.ask(question.query)
	if err != nil {
		return out, err
	}
	if question.name == "" {
		out.class, err = classOf(term)
		return out, err
	}
	out.report, err = reportsOf(question.rule, term)
	return out, err
}

func classOf(term *ast.Term) (Class, error) {
	if term == nil {
		return "", errors.New("the policies returned no class") // undefined is never a pass
	}
	name, ok := term.Value.(ast.String)
	if !ok {
		return "", fmt.Errorf("the policies returned a malformed class: %v", term)
	}
	return Class(name), nil
}

// reportsOf returns what a rule reports.
func reportsOf(rule Rule, term *ast.Term) (out []report, err error) {
	add := func(found *ast.Term) {
		var one report
		if e := decode(found, &one); e != nil && err == nil {
			err = fmt.Errorf("rule %s reports a malformed finding: %w", rule.ID, e)
		}
		one.Rule, one.Category = rule.ID, rule.Category
		out = append(out, one)
	}
	if term == nil {
		return nil, nil
	}
	switch all := term.Value.(type) {
	case ast.Set:
		all.Foreach(add)
	case *ast.Array:
		all.Foreach(add)
	case ast.Object:
		all.Foreach(func(_, found *ast.Term) { add(found) })
	default:
		err = fmt.Errorf("rule %s reports no set: %v", rule.ID, term)
	}
	return out, err
}

// decode reads a term as encoding/json reads its JSON.
func decode(term *ast.Term, into any) error {
	value, err := ast.JSON(term.Value)
	if err != nil {
		return err
	}
	return convert(value, into)
}
