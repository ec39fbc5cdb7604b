package main

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/flux-remedy/remedy/internal/slim"
)

// answers remembers what was answered to requests that are the same but for their uid and
// for what the API server alone sets of an object. Flux sends each object twice, first as a
// dry run, and sends again at every interval what is denied. It is safe for concurrent use.
type answers struct {
	// builtIn reports whether all rules are those of this program, which do not see what
	// the API server sets.
	builtIn bool

	mu   sync.RWMutex
	of   map[[sha256.Size]byte]*answered
	size int
}

// answered is a decision, and the answer behind the uid.
type answered struct {
	decision *decision
	request  review // without its objects
	rest     []byte
}

// maxAnswers is about how many bytes are remembered; beyond it everything is forgotten.
// answerSize is about what an answer takes beside its texts.
const (
	maxAnswers = 8 << 20
	answerSize = 4 << 10
)

// question is all of a request that an answer depends on, as its SHA-256.
type question struct {
	known bool // what an answer depends on
	key   [sha256.Size]byte
	uid   string
}

// about returns the question of a review on a path at a time. Days matter, because waivers
// end with them; a shorter time does not.
func (a *answers) about(b *body, path string, now time.Time) question {
	if a == nil || len(b.Text) > small || b.Twofold {
		return question{}
	}
	key := sha256.New()
	about := append(append(make([]byte, 0, 64), path...), 0)
	about = append(strconv.AppendInt(about, now.Unix()/int64(24*time.Hour/time.Second), 10), 0)
	_, _ = key.Write(about) // a hash returns no error
	from := 0
	var uid []byte // the last one counts, as in encoding/json
	for _, span := range b.Marked {
		switch {
		case span.Node == uidOfReview:
			uid = b.Text[span.From+1 : span.To-1]
		case !a.builtIn:
			continue
		}
		// No JSON has a zero byte, so that it shows what is left out, and where.
		_, _ = key.Write(b.Text[from:span.From])
		_, _ = key.Write(zero)
		from = span.To
	}
	if uid == nil || !simple(uid) {
		return question{}
	}
	_, _ = key.Write(b.Text[from:])
	q := question{known: true, uid: string(uid)}
	key.Sum(q.key[:0])
	return q
}

var zero = []byte{0}

// simple reports whether a text is the same in JSON.
func simple(text []byte) bool {
	for _, c := range text {
		if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}

// recall returns what was answered to a question; nil if nothing is remembered.
func (a *answers) recall(q question) *answered {
	if !q.known {
		return nil
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.of[q.key]
}

// remember keeps the answer to a question.
func (a *answers) remember(q question, d *decision, r *review, text []byte) {
	rest, ok := bytes.CutPrefix(text, []byte(beforeUID+q.uid))
	if !q.known || !ok {
		return
	}
	kept, request := *d, *r
	kept.release, request.Object, request.Old, request.before = nil, nil, nil, nil
	size := answerSize + len(rest)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.size += size; a.of == nil || a.size > maxAnswers {
		a.of, a.size = map[[sha256.Size]byte]*answered{}, size
	}
	a.of[q.key] = &answered{&kept, request, rest}
}

// to returns the request as it was made under a uid.
func (a *answered) to(uid string) *review {
	request := a.request
	request.UID = types.UID(uid)
	return &request
}

// text returns the answer to a request of a uid.
func (a *answered) text(uid string) []byte {
	return slices.Concat([]byte(beforeUID), []byte(uid), a.rest)
}

// uidOfReview is the place of the uid of a request, which is in its answer too.
var uidOfReview = &slim.Node{Mark: true}
