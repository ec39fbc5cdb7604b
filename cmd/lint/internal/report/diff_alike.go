package report

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
)

const (
	// halfAlike is how alike two releases are at least of which one surely takes the place of the other, as in its file.
	halfAlike = 0.5
	// soAlike is how alike two are at least of which nothing else says that one was the other. Of the pairs of releases of
	// one chart in public repositories, which mostly are of app-template, 2 in 100 are.
	soAlike = 0.75
	// surelyAlike is how alike two are at least that nobody writes anew, as 1 of 1,000 pairs is, and enoughTraits how many
	// settings they have then.
	surelyAlike, enoughTraits = 0.9, 8
	// mostCompared is up to how many pairs of one chart are compared.
	mostCompared = 250_000
)

// traits are the settings of a release but its chart, each path with its value, without the indices of lists: as written,
// and with a mark for the release's own name, in keys alone or in values as well, so that it is like itself under another
// name. They are hashed and sorted.
type traits struct{ written, keyed, marked []uint64 }

var traitSeed = maphash.MakeSeed()

func (j Judged) traits() (out traits) {
	var add func(at string, v any)
	add = func(at string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, below := range v {
				add(at+"\x00"+name, below)
			}
		case []any:
			for _, below := range v {
				add(at+"\x00", below)
			}
		default:
			mark := func(text string) string { return strings.ReplaceAll(text, j.Name.Name, "\x01") }
			text := "\x00" + fmt.Sprint(v)
			out.written = append(out.written, maphash.String(traitSeed, at+text))
			out.keyed = append(out.keyed, maphash.String(traitSeed, mark(at)+text))
			out.marked = append(out.marked, maphash.String(traitSeed, mark(at)+mark(text)))
		}
	}
	spec, _ := j.Spec.(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "chart") // Chart says that
	delete(spec, "chartRef")
	add("", spec)
	slices.Sort(out.written)
	slices.Sort(out.keyed)
	slices.Sort(out.marked)
	return out
}

// alike returns how much of two releases is the same, from 0 to 1.
func (t traits) alike(o traits) float64 {
	return max(t.same(o), inBoth(t.marked, o.marked))
}

// same is like alike where values that hold the name are different: those of another application of the same kind do.
func (t traits) same(o traits) float64 {
	return max(inBoth(t.written, o.written), inBoth(t.keyed, o.keyed))
}

// inBoth returns how much of two sorted lists is in both, from 0 to 1.
func inBoth(a, b []uint64) float64 {
	all, same := max(len(a)+len(b), 1), 0
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0], b[0]); {
		case c == 0:
			same, a, b = same+1, a[1:], b[1:]
		case c < 0:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return 2 * float64(same) / float64(all)
}

// pairAlike pairs the releases of one chart that are new in a cluster with those that are gone from it, by their settings, the
// most alike first. Where another release of before is as alike to a new one, as among tenants, the likeness tells nothing.
func pairAlike(before, after []Judged, gone, added map[identity][]int) map[int]Follow {
	type likeness struct {
		was, is int
		degree  float64
		surely  bool
	}
	var all []likeness
	for id, is := range added {
		if len(gone[id]) == 0 {
			continue
		}
		had := map[int]traits{}
		for i, j := range before {
			if j.Cluster == id.cluster && j.Chart == id.chart {
				had[i] = j.traits()
			}
		}
		if len(is)*len(had) > mostCompared {
			continue
		}
		for _, i := range is {
			has, most, next := after[i].traits(), likeness{is: i}, 0.0
			for was, traits := range had {
				if degree := has.alike(traits); degree > most.degree {
					most.was, most.degree, next = was, degree, most.degree
					most.surely = has.same(traits) >= surelyAlike && len(has.written) >= enoughTraits
				} else {
					next = max(next, degree)
				}
			}
			if most.degree >= soAlike && most.degree > next && slices.Contains(gone[id], most.was) {
				all = append(all, most)
			}
		}
	}
	slices.SortFunc(all, func(a, b likeness) int { return cmp.Or(cmp.Compare(b.degree, a.degree), cmp.Compare(a.is, b.is)) })
	out, taken := map[int]Follow{}, map[int]bool{}
	for _, l := range all {
		if !taken[l.was] {
			out[l.is], taken[l.was] = Follow{l.was, !l.surely}, true
		}
	}
	return out
}
