package rules

import (
	"slices"
	"sync"
	"sync/atomic"
)

// said remembers what the policies said of inputs, by what they asked of them. Policies
// depend on nothing but their input (see capabilities), so they say the same of one that
// gives the same answers to the same questions. It is safe for concurrent use.
type said struct {
	mu    sync.RWMutex
	first *step
	size  int
	// begun is true from the first input on, of which nothing is remembered: it may be the
	// only one of a run, and to listen costs half as much as to judge.
	begun atomic.Bool
}

// maxSaid is about how many bytes are remembered. Beyond it everything is forgotten, so
// that what is judged cannot fill the memory; one input may take a part of it.
const (
	maxSaid    = 16 << 20
	maxSaidOne = maxSaid / 32
)

// step is a question, and what follows each answer to it.
type step struct {
	question
	// first is one of the answers, and then what follows it: most questions have no other.
	first string
	then  *step
	next  map[string]*step
	told  *told // if nothing more is asked
}

// after returns what follows an answer; nil if it was never given.
func (s *step) after(answer []byte) *step {
	if s.then != nil && string(answer) == s.first {
		return s.then
	}
	return s.next[string(answer)]
}

// put makes something follow an answer.
func (s *step) put(answer string, then *step) {
	switch {
	case s.then == nil || answer == s.first:
		s.first, s.then = answer, then
	case s.next == nil:
		s.next = map[string]*step{answer: then}
	default:
		s.next[answer] = then
	}
}

// recall returns what was said of an input that is the same as far as the policies ask.
func (s *said) recall(v *view) (told, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	answer := make([]byte, 0, 512)
	at := s.first
	for at != nil && at.told == nil {
		answer = v.answer(answer[:0], at.question)
		at = at.after(answer)
	}
	if at == nil {
		return told{}, false
	}
	return *at.told, true
}

// remember keeps what was said of an input after some questions.
func (s *said) remember(v *view, asked []question, what told) {
	answers, size := make([]string, len(asked)), what.size()
	for i, q := range asked {
		asked[i].fields = fieldsAt(q.at)
		answers[i] = string(v.answer(nil, asked[i]))
		size += stepSize + len(answers[i])
	}
	if size > maxSaidOne {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.size += size; s.size > maxSaid {
		s.first, s.size = nil, size
	}
	s.first = insert(s.first, asked, answers, &what)
}

// stepSize is about how many bytes a step takes, and a finding without its texts.
const stepSize = 500

// size returns about how many bytes something that was said takes.
func (t told) size() int {
	size := stepSize
	for _, r := range t.Report {
		size += stepSize + len(r.Message)
	}
	return size
}

// insert returns a step with what was said after some answers. It stays as it is if something
// else is asked there: then the policies asked the same in another order.
func insert(at *step, asked []question, answers []string, what *told) *step {
	switch {
	case len(asked) == 0 && at == nil:
		return &step{told: what}
	case at == nil:
		at = &step{question: asked[0]}
	case len(asked) == 0 || at.told != nil || !at.same(asked[0]):
		return at
	}
	at.put(answers[0], insert(at.after([]byte(answers[0])), asked[1:], answers[1:], what))
	return at
}

func (q question) same(other question) bool {
	return q.how == other.how && slices.Equal(q.at, other.at)
}

// sayings are what the policies said under several laws and parameters: of several tiers,
// and on both sides of a change. It is safe for concurrent use.
type sayings struct {
	mu   sync.Mutex
	said map[string]*said
}

// maxSayings is how many are kept: a webhook that reloads its configuration has others
// each time.
const maxSayings = 16

// under returns what was said under limits of a name.
func (s *sayings) under(limits string) *said {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.said == nil || len(s.said) > maxSayings {
		s.said = map[string]*said{}
	}
	if s.said[limits] == nil {
		s.said[limits] = &said{}
	}
	return s.said[limits]
}
