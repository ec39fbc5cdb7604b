package rules

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules/internal/places"
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"
)

// inquiry asks the policies about one release. What is remembered is not asked again.
type inquiry struct {
	*Engine
	release *release.Release
	input   map[string]any
	marks   []mark
	*buffers
	*rego.Evaluation
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
	b, _ := e.spare.Get().(*buffers)
	if b == nil {
		b = &buffers{}
	}
	b.text, b.ends = b.text[:0], b.ends[:0]
	q := &inquiry{Engine: e, release: r, input: input, marks: marks, buffers: b}
	for _, at := range q.policies.Places {
		q.text = places.Append(q.text, input, at)
		q.ends = append(q.ends, len(q.text))
	}
	return q, nil
}

// key returns the hash of all that is asked, and of all that it reads.
func (q *inquiry) key() rego.Key {
	q.part = strconv.AppendBool(append(q.part[:0], q.text...), q.release.Admitted)
	q.part = strconv.AppendBool(q.part, len(q.release.Unknown) > 0) // then rules that may not report are asked, too
	for _, m := range q.marks {
		q.part = m.append(q.part)
	}
	return sha256.Sum256(q.part)
}

// begin recalls what is known of single rules, and begins the evaluation of the others.
func (q *inquiry) begin(ctx context.Context) (err error) {
	q.Evaluation, err = q.policies.Evaluation(ctx, q.input, q.recall())
	return err
}

// buffers are used for one release after the other.
type buffers struct {
	text []byte // what is at the places of all queries
	ends []int  // of each place in text
	part []byte // what one query reads
	// answers are those that are known, by the index of the query, and keys by what they are remembered.
	answers []answer
	known   []bool
	keys    []rego.Key
}

// maxSpare is how large a text is kept for the next release.
const maxSpare = 64 << 10

// end ends the inquiry, whose answers are another's then.
func (q *inquiry) end() {
	if q.Evaluation != nil {
		q.End()
	}
	if cap(q.text) < maxSpare {
		clear(q.answers)
		q.spare.Put(q.buffers)
	}
}

// recall looks for the answers to all queries, and returns the sections of the input that
// those read which are not remembered.
func (q *inquiry) recall() (sections []string) {
	b, n := q.buffers, len(q.rules)+1
	b.answers, b.known, b.keys = slices.Grow(b.answers[:0], n)[:n], slices.Grow(b.known[:0], n)[:n], slices.Grow(b.keys[:0], n)[:n]
	clear(b.known)
	recall := func(query *rego.Query) {
		i := query.Index
		if !query.Whole {
			b.keys[i] = b.keyOf(query, q.touching(query))
			b.answers[i], b.known[i] = q.memory.Recall(b.keys[i])
		}
		if !b.known[i] {
			sections = append(sections, query.Sections...)
		}
	}
	recall(&q.policies.Class)
	for _, query := range q.asked(q.release) {
		recall(query)
	}
	return sections
}

// keyOf returns the hash of a query and of all that it reads.
func (b *buffers) keyOf(query *rego.Query, touching []mark) rego.Key {
	b.part = places.AppendText(b.part[:0], query.Name)
	for _, i := range query.Parts {
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

// answer returns the answer to a query.
func (q *inquiry) answer(query *rego.Query) (answer, error) {
	i := query.Index
	if q.known[i] {
		return q.answers[i], nil
	}
	out, err := q.evaluate(query)
	if err != nil {
		return out, err
	}
	q.answers[i], q.known[i] = out, true
	if !query.Whole {
		q.memory.Remember(q.keys[i], out)
	}
	return out, nil
}

func (q *inquiry) evaluate(query *rego.Query) (out answer, err error) {
	touching := q.touching(query)
	if len(touching) > 0 {
		if out.open = q.unknownIn(query, touching); len(out.open) > 0 {
			return out, q.Err()
		}
	}
	answered, err := q.Ask(query)
	if err != nil {
		return out, err
	}
	if query.Index == q.policies.Class.Index {
		out.class, err = classOf(answered)
		return out, err
	}
	out.report, err = reportsOf(&q.rules[query.Index-1], answered)
	return out, err
}

func classOf(a rego.Answer) (Class, error) {
	if a.Undefined() {
		return "", errors.New("the policies returned no class") // undefined is never a pass
	}
	name, ok := a.Text()
	if !ok {
		return "", fmt.Errorf("the policies returned a malformed class: %v", a)
	}
	return Class(name), nil
}

// reportsOf returns what a rule reports.
func reportsOf(rule *Rule, a rego.Answer) (out []report, err error) {
	if a.Undefined() {
		return nil, nil
	}
	items, ok := a.Items()
	if !ok {
		return nil, fmt.Errorf("rule %s reports no set: %v", rule.ID, a)
	}
	for _, item := range items {
		var one report
		if err := item.Decode(&one); err != nil {
			return nil, fmt.Errorf("rule %s reports a malformed finding: %w", rule.ID, err)
		}
		one.Rule, one.Category = rule.ID, rule.Category
		out = append(out, one)
	}
	return out, nil
}
