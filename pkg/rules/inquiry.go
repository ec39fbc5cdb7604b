package rules

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/open-policy-agent/opa/v1/ast"
)

// inquiry asks the policies about one release. What is remembered is not asked again.
type inquiry struct {
	*Engine
	release *release.Release
	input   map[string]any
	marks   []mark
	*buffers
	*evaluation
}

// inquire prepares an inquiry. The caller ends it.
func (e *Engine) inquire(r *release.Release) (*inquiry, error) {
	input, err := e.inputOf(r)
	if err != nil {
		return nil, err
	}
	marks, err := e.marksOf(r)
	if err != nil {
		return nil, err
	}
	q := &inquiry{Engine: e, release: r, input: input, marks: marks, buffers: e.spare.Get().(*buffers)}
	q.text, q.ends = q.text[:0], q.ends[:0]
	for _, at := range q.questions.places {
		q.text = appendPlace(q.text, input, at)
		q.ends = append(q.ends, len(q.text))
	}
	return q, nil
}

// key returns the hash of all that is asked, and of all that it reads.
func (q *inquiry) key() memoryKey {
	q.part = strconv.AppendBool(append(q.part[:0], q.text...), q.release.Admitted)
	q.part = strconv.AppendBool(q.part, len(q.release.Unknown) > 0) // then rules that may not report are asked, too
	for _, m := range q.marks {
		q.part = m.append(q.part)
	}
	return sha256.Sum256(q.part)
}

// begin recalls what is known of single rules, and begins the evaluation of the others.
func (q *inquiry) begin(ctx context.Context) (err error) {
	q.evaluation, err = q.Engine.evaluation(ctx, q.input, q.recall())
	return err
}

// buffers are used for one release after the other.
type buffers struct {
	text []byte // what is at the places of all questions
	ends []int  // of each place in text
	part []byte // what one question reads
	// answers are those that are known, by the index of the question, and keys by what they are remembered.
	answers []answer
	known   []bool
	keys    []memoryKey
}

// maxSpare is how large a text is kept for the next release.
const maxSpare = 64 << 10

// end ends the inquiry, whose answers are another's then.
func (q *inquiry) end() {
	if q.evaluation != nil {
		q.evaluation.end()
	}
	if cap(q.text) < maxSpare {
		clear(q.answers)
		q.spare.Put(q.buffers)
	}
}

// recall looks for the answers to all questions, and returns the sections of the input that
// those read which are not remembered.
func (q *inquiry) recall() (sections []string) {
	b, n := q.buffers, len(q.questions.rules)+1
	b.answers, b.known, b.keys = slices.Grow(b.answers[:0], n)[:n], slices.Grow(b.known[:0], n)[:n], slices.Grow(b.keys[:0], n)[:n]
	clear(b.known)
	recall := func(question *question) {
		i := question.index
		if !question.whole {
			b.keys[i] = b.keyOf(question, q.touching(question))
			b.answers[i], b.known[i] = q.memory.recall(b.keys[i])
		}
		if !b.known[i] {
			sections = append(sections, question.sections...)
		}
	}
	recall(&q.questions.class)
	for question := range q.asked(q.release) {
		recall(question)
	}
	return sections
}

// keyOf returns the hash of a question and of all that it reads.
func (b *buffers) keyOf(question *question, touching []mark) memoryKey {
	b.part = appendText(b.part[:0], question.name)
	for _, i := range question.parts {
		from := 0
		if i > 0 {
			from = b.ends[i-1]
		}
		b.part = append(b.part, b.text[from:b.ends[i]]...)
	}
	for _, m := range touching {
		b.part = m.append(b.part)
	}
	return sha256.Sum256(b.part)
}

// answer returns the answer to a question.
func (q *inquiry) answer(question *question) (answer, error) {
	i := question.index
	if q.known[i] {
		return q.answers[i], nil
	}
	out, err := q.evaluate(question)
	if err != nil {
		return out, err
	}
	q.answers[i], q.known[i] = out, true
	if !question.whole {
		q.memory.remember(q.keys[i], out)
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
