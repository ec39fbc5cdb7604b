package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"maps"
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Former is how a release was known before it got another name or its cluster did.
type Former struct {
	release.Name
	Cluster string `json:"cluster"`
}

// identity is by what a release is recognized. Empty fields do not count.
type identity struct {
	release.Name
	cluster, file, chart string
	content              [sha256.Size]byte
}

// way is a way to recognize a release.
type way struct {
	// sure holds for any release, the others for one that is gone on one side and new on
	// the other.
	sure bool
	// alone holds if there is one such release on each side.
	alone bool
	// guess holds if two different ones may be alike.
	guess bool
	of    func(Judged) (identity, bool)
}

// ways are tried one after the other, the surest first.
var ways = []way{
	{sure: true, of: func(j Judged) (identity, bool) {
		return identity{Name: j.Name, file: j.File, content: j.content()}, j.Spec != nil
	}},
	{sure: true, of: func(j Judged) (identity, bool) { return identity{Name: j.Name, file: j.File}, true }},
	{sure: true, of: func(j Judged) (identity, bool) { return identity{Name: j.Name}, true }},
	{of: func(j Judged) (identity, bool) { return identity{content: j.content()}, j.Spec != nil }},
	{alone: true, of: func(j Judged) (identity, bool) {
		return identity{Name: release.Name{Name: j.Name.Name}, file: j.File}, j.File != ""
	}},
	{alone: true, guess: true, of: func(j Judged) (identity, bool) { return identity{file: j.File, chart: j.Chart}, j.Chart != "" }},
	{alone: true, guess: true, of: func(j Judged) (identity, bool) {
		return identity{Name: release.Name{Name: j.Name.Name}, chart: j.Chart}, j.Chart != ""
	}},
}

// Follow is which release of the state before one was, by its index.
type Follow struct {
	Was   int
	Alike bool // only by its settings, and not surely
}

// Followed returns for the releases of a state, by their index, which of the state before each was. What is new is left
// out, and so is what may be: one of the same chart that is set otherwise.
func Followed(before, after Side) map[int]Follow {
	index, out := map[*Judged]int{}, map[int]Follow{}
	for i := range before.Releases {
		index[&before.Releases[i]] = i
	}
	renamed, were, are := renamedClusters(before, after), gapsOf(before, after), gapsOf(after, before)
	gone, added := map[identity][]int{}, map[identity][]int{}
	for i, p := range pairs(before, after, renamed, were, are) {
		switch {
		case p.after == nil:
			if j := p.before; j.Spec != nil && are.hides(j) == nil {
				id := identity{cluster: j.Cluster, chart: j.Chart}
				gone[id] = append(gone[id], index[j])
			}
		case p.before == nil:
			if j := p.after; j.Spec != nil && were.hides(j) == nil {
				id := identity{cluster: cmp.Or(renamed[j.Cluster], j.Cluster), chart: j.Chart}
				added[id] = append(added[id], i)
			}
		case !p.guessed || p.before.traits().alike(p.after.traits()) >= halfAlike:
			out[i] = Follow{Was: index[p.before]}
		}
	}
	maps.Copy(out, pairAlike(before.Releases, after.Releases, gone, added))
	return out
}

// content returns a hash of what a release is made of.
func (j Judged) content() [sha256.Size]byte {
	text, _ := json.Marshal(j.Spec) // of JSON values
	return sha256.Sum256(text)
}

// pairs finds for each release what it was before. One that cannot be judged on the other
// side is not taken for another one.
func pairs(before, after Side, renamed map[string]string, were, are gaps) []pair {
	out, taken := make([]pair, len(after.Releases)), make([]bool, len(before.Releases))
	for i := range after.Releases {
		out[i].after = &after.Releases[i]
	}
	for _, w := range ways {
		was, is := map[identity][]int{}, map[identity][]int{}
		for i := range before.Releases {
			j := &before.Releases[i]
			if taken[i] || !w.sure && are.hides(j) != nil {
				continue
			}
			if id, ok := w.of(*j); ok {
				id.cluster = j.Cluster
				was[id] = append(was[id], i)
			}
		}
		for i, p := range out {
			if p.before != nil || !w.sure && were.hides(p.after) != nil {
				continue
			}
			if id, ok := w.of(*p.after); ok {
				id.cluster = cmp.Or(renamed[p.after.Cluster], p.after.Cluster)
				is[id] = append(is[id], i)
			}
		}
		for id, now := range is {
			if w.alone && (len(now) > 1 || len(was[id]) > 1) {
				continue
			}
			for n := range min(len(now), len(was[id])) {
				out[now[n]].before, out[now[n]].guessed, taken[was[id][n]] = &before.Releases[was[id][n]], w.guess, true
			}
		}
	}
	shareFormer(out, before, renamed)
	for i := range before.Releases {
		if !taken[i] {
			out = append(out, pair{before: &before.Releases[i]})
		}
	}
	return out
}

// shareFormer finds for each release that has another content in the same cluster, too, what that one
// was before: it is not new.
func shareFormer(out []pair, before Side, renamed map[string]string) {
	for i, p := range out {
		if p.before != nil {
			continue
		}
		cluster := cmp.Or(renamed[p.after.Cluster], p.after.Cluster)
		same := func(j Judged) bool { return cluster != "" && j.Cluster == cluster && j.Name == p.after.Name }
		if was := slices.IndexFunc(before.Releases, same); was >= 0 {
			out[i].before = &before.Releases[was]
		}
	}
}

// resemblance says how much two clusters have in common.
type resemblance struct {
	from, to string
	score    int
	equal    bool // all releases of the one are in the other as they are
}

// renamedClusters returns for each cluster that is new which one that is gone it was: the
// one with which it has most in common, at least half of its releases. If several could
// be that and are not equal, none is.
func renamedClusters(before, after Side) map[string]string {
	all := resemblances(before.clusters(), after.clusters())
	out, taken := map[string]string{}, map[string]bool{}
	for _, l := range all {
		rival := func(o resemblance) bool {
			return o != l && o.score == l.score && (o.to == l.to && !taken[o.from] || o.from == l.from && out[o.to] == "")
		}
		if out[l.to] == "" && !taken[l.from] && (l.equal || !slices.ContainsFunc(all, rival)) {
			out[l.to], taken[l.from] = l.from, true
		}
	}
	return out
}

// resemblances compares each cluster that is gone with each that is new, the most alike
// first.
func resemblances(were, are map[string]map[release.Name]Judged) []resemblance {
	var all []resemblance
	for to, now := range are {
		for from, was := range were {
			if are[from] != nil || were[to] != nil {
				continue
			}
			l, same := inCommon(was, now)
			l.from, l.to = from, to
			if 2*same >= min(len(was), len(now)) && same > 0 {
				all = append(all, l)
			}
		}
	}
	slices.SortFunc(all, func(a, b resemblance) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	return all
}

// clusters returns the releases of each cluster by name, also of one with nothing but what
// is undetermined.
func (s Side) clusters() map[string]map[release.Name]Judged {
	out := map[string]map[release.Name]Judged{}
	for _, u := range s.Undetermined {
		out[u.Cluster] = map[release.Name]Judged{}
	}
	for _, j := range s.Releases {
		if out[j.Cluster] == nil {
			out[j.Cluster] = map[release.Name]Judged{}
		}
		out[j.Cluster][j.Name] = j
	}
	return out
}

// inCommon counts the releases that two clusters have in common, and scores more for those
// of the same file, tier and content.
func inCommon(was, now map[release.Name]Judged) (l resemblance, same int) {
	l.equal = len(was) == len(now)
	for name, j := range now {
		old, ok := was[name]
		if !ok {
			l.equal = false
			continue
		}
		same++
		l.score++
		for _, like := range []bool{old.File == j.File, old.Tier == j.Tier, old.content() == j.content()} {
			if l.equal = l.equal && like; like {
				l.score++
			}
		}
	}
	return l, same
}

// resumed has the releases that are suspended now, and were there before, as they will be when they are resumed,
// and returns both sides so. What the change makes worse is no better for waiting, and what it hides is not
// repaired. One that was suspended and is not now is as new: nothing was said of it before.
func resumed(all []pair, before, after Side) (Side, Side) {
	for i := range all {
		p := &all[i]
		if p.before == nil || p.after == nil || p.after.Resumed == nil {
			continue
		}
		p.suspended, p.suspends = true, p.before.Resumed == nil
		before, after = before.resumed(p.before), after.resumed(p.after)
		p.before, p.after = cmp.Or(p.before.Resumed, p.before), p.after.Resumed
	}
	return before, after
}

// resumed returns the side with a release as it will be when it is resumed.
func (s Side) resumed(j *Judged) Side {
	if j.Resumed == nil {
		return s
	}
	of := func(u release.Undetermined) bool {
		return u.Rules != "" && u.Release == j.Name.String() && u.Cluster == j.Cluster && u.File == j.File && u.Line == j.Line
	}
	s.Undetermined = slices.DeleteFunc(slices.Clone(s.Undetermined), of)
	for _, u := range s.Resumed {
		if of(u) {
			s.Undetermined = append(s.Undetermined, u)
		}
	}
	return s
}
