package main

import (
	"crypto/sha256"
	"hash"
	"strconv"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// question is all of a request that an answer depends on. What is cut out of it are its uid,
// what the API server alone sets of an object, and its names, of which still counts which are
// there and whether an update keeps them.
type question struct {
	known bool // what an answer depends on
	key   [sha256.Size]byte
	uid   string
	// names are the texts that are cut out; nil where none is. Those of the old object are second.
	names [2][maxCuts][]byte
}

// maxCuts is more than there are in cuts.
const maxCuts = 16

// about returns the question of a review on a path at a time. Days matter, because waivers
// end with them; a shorter time does not.
func (a *answers) about(b *body, path string, now time.Time) (q question) {
	if a == nil || len(b.Text) > small || b.Twofold || !q.collect(b) {
		return question{}
	}
	key := sha256.New()
	about := append(append(make([]byte, 0, 64), path...), 0)
	about = append(strconv.AppendInt(about, now.Unix()/int64(24*time.Hour/time.Second), 10), 0)
	for i := range cuts {
		about = append(about, q.relation(i))
	}
	_, _ = key.Write(about) // a hash returns no error
	from := 0
	for _, span := range b.Marked {
		if span.Mark == stampMark && !a.builtIn || span.Mark >= firstName && *q.name(span.Mark) == nil {
			continue
		}
		// No JSON has a zero byte, so that it shows what is left out, and where.
		_, _ = key.Write(b.Text[from:span.From])
		_, _ = key.Write(zero)
		from = span.To
	}
	_, _ = key.Write(b.Text[from:])
	q.known = true
	key.Sum(q.key[:0])
	return q
}

var zero = []byte{0}

// name returns the place of a name by its mark.
func (q *question) name(mark int) *[]byte {
	mark -= firstName
	return &q.names[mark/len(cuts)][mark%len(cuts)]
}

// or returns a name that is cut out of the request or its object, or else another text.
func (q *question) or(name int, text string) string {
	if is := q.names[0][name]; is != nil {
		return string(is)
	}
	return text
}

// collect finds what is to be cut out, and reports whether the uid is and nothing is there
// twice. A name is cut out where it is plain in both objects.
func (q *question) collect(b *body) bool {
	var uid []byte
	var odd [maxCuts]bool
	for _, span := range b.Marked {
		text := b.Text[span.From+1 : span.To-1]
		switch {
		case span.Mark == uidMark && uid == nil && simple(text):
			uid = text
		case span.Mark == uidMark:
			return false
		case span.Mark >= firstName:
			name := q.name(span.Mark)
			if *name != nil {
				return false
			}
			*name = text
			at := (span.Mark - firstName) % len(cuts)
			odd[at] = odd[at] || !plain(text) || len(text) > maxName && !isValues(at)
		}
	}
	for i := range cuts {
		if odd[i] {
			q.names[0][i], q.names[1][i] = nil, nil
		}
	}
	q.uid = string(uid)
	return uid != nil
}

// maxName is how long a name may be to be cut out: rules ask whether one is longer.
const maxName = 53

func isValues(name int) bool { return name == len(rules.Names) }

// relation says in which objects a name is cut out, and whether it is the same in both.
func (q *question) relation(name int) byte {
	now, old := q.names[0][name], q.names[1][name]
	switch {
	case now == nil && old == nil:
		return 0
	case old == nil:
		return 1
	case now == nil:
		return 2
	case string(now) != string(old):
		return 3
	}
	return 4
}

// with returns the key of the question together with some names.
func (q *question) with(names rules.NameSet, engine *rules.Engine) (out [sha256.Size]byte) {
	if names == 0 {
		return q.key
	}
	key := sha256.New()
	_, _ = key.Write(q.key[:])
	_, _ = key.Write(strconv.AppendInt(nil, int64(names), 10))
	for i := range rules.Names {
		if names.Has(i) {
			q.write(key, i)
		}
	}
	if names&rules.ChartListed != 0 {
		q.writeListed(key, engine)
	}
	if names.Has(objectName) {
		q.write(key, requestName)
	}
	if names.Has(objectNamespace) {
		q.write(key, requestNamespace)
	}
	key.Sum(out[:0])
	return out
}

func (q *question) write(to hash.Hash, name int) {
	for _, text := range [][]byte{q.names[0][name], q.names[1][name]} {
		_, _ = to.Write(text)
		_, _ = to.Write(zero)
	}
}

// writeListed writes in which tiers the law lists the chart, of both objects.
func (q *question) writeListed(to hash.Hash, engine *rules.Engine) {
	for i := range rules.Names {
		if !rules.ChartNames.Has(i) {
			continue
		}
		for _, tier := range release.Tiers {
			_, _ = to.Write(strconv.AppendBool(nil, engine.Lists(tier, string(q.names[0][i]))))
			_, _ = to.Write(strconv.AppendBool(nil, engine.Lists(tier, string(q.names[1][i]))))
		}
	}
}

// agrees reports whether the names of a request, as it was decoded, are those that are cut
// out. They are not where a field is there twice.
func (q *question) agrees(r *review) bool {
	object := []map[string]any{r.Object, r.Old}
	for i, path := range cuts[:inObject] {
		for which, text := range [][]byte{q.names[0][i], q.names[1][i]} {
			if is, _ := path.In(object[which]).(string); text != nil && is != string(text) {
				return false
			}
		}
	}
	name, namespace := q.names[0][requestName], q.names[0][requestNamespace]
	return q.uid == string(r.UID) && (name == nil || r.Name == string(name)) && (namespace == nil || r.Namespace == string(namespace))
}
