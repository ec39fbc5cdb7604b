package main

import (
	"crypto/sha256"
	"sync"

	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// answers remembers what was answered to requests that are the same but for their uid, for
// what the API server alone sets of an object, and for names that the decision does not depend
// on. Flux sends each object twice, first as a dry run, and sends again at every interval what
// is denied; and the releases of a fleet are set alike. It is safe for concurrent use.
type answers struct {
	// builtIn reports whether all rules are those of this program, which do not see what
	// the API server sets.
	builtIn bool
	engine  *rules.Engine

	mu   sync.RWMutex
	of   map[[sha256.Size]byte]*answered
	size int
}

// answered is an answer to a question, or the names on which the answer depends.
type answered struct {
	names   rules.NameSet // if any, the answer is at the question with them
	answer  *answer
	request review // without its objects
}

// maxAnswers is about how many bytes are remembered; beyond it everything is forgotten.
// answerSize is about what an answer takes beside its texts.
const (
	maxAnswers = 8 << 20
	answerSize = 4 << 10
	namesSize  = 512
)

// recall returns what was answered to a question; nil if nothing is remembered.
func (a *answers) recall(q *question) *answered {
	if !q.known {
		return nil
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	known := a.of[q.key]
	if known != nil && known.names != 0 {
		known = a.of[q.with(known.names, a.engine)]
	}
	return known
}

// remember keeps the answer to a question, which depends on some names.
func (a *answers) remember(q *question, names rules.NameSet, reply *answer, r *review) {
	if !q.known || !q.agrees(r) {
		return
	}
	request := *r
	request.Object, request.Old, request.before = nil, nil, nil
	request.UserInfo.Groups = nil
	a.mu.Lock()
	defer a.mu.Unlock()
	if names != 0 {
		if known := a.of[q.key]; known != nil {
			names |= known.names
		}
		a.put(q.key, &answered{names: names}, namesSize)
	}
	a.put(q.with(names, a.engine), &answered{answer: reply, request: request}, answerSize+reply.size())
}

func (a *answers) put(key [sha256.Size]byte, what *answered, size int) {
	if a.size += size; a.of == nil || a.size > maxAnswers {
		a.of, a.size = map[[sha256.Size]byte]*answered{}, size
	}
	a.of[key] = what
}

// to returns the request as it was made in a question.
func (a *answered) to(q *question) *review {
	request := a.request
	request.UID = types.UID(q.uid)
	request.Name, request.Namespace = q.or(requestName, request.Name), q.or(requestNamespace, request.Namespace)
	request.place = q.where(request.place)
	return &request
}
