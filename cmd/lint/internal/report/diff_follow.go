package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
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

// identities are the ways to recognize a release, the surest first. The first two hold
// for any release, the others for one that is gone on one side and new on the other.
var identities = []func(Judged) (identity, bool){
	func(j Judged) (identity, bool) { return identity{Name: j.Name, file: j.File}, true },
	func(j Judged) (identity, bool) { return identity{Name: j.Name}, true },
	func(j Judged) (identity, bool) {
		return identity{Name: release.Name{Name: j.Name.Name}, file: j.File}, j.File != ""
	},
	func(j Judged) (identity, bool) { return identity{file: j.File, chart: j.Chart}, j.Chart != "" },
	func(j Judged) (identity, bool) { return identity{content: j.content()}, j.Spec != nil },
	func(j Judged) (identity, bool) {
		return identity{Name: release.Name{Name: j.Name.Name}, chart: j.Chart}, j.Chart != ""
	},
}

// sure is the number of identities that hold for any release.
const sure = 2

// content returns a hash of what a release is made of.
func (j Judged) content() [sha256.Size]byte {
	text, _ := json.Marshal(j.Spec) // of JSON values
	return sha256.Sum256(text)
}

// pairs finds for each release what it was before. One that cannot be judged on the other
// side is not taken for another one.
func pairs(before, after Side, were, are gaps) []pair {
	renamed := renamedClusters(before, after)
	out := make([]pair, len(after.Releases))
	taken := make([]bool, len(before.Releases))
	for way, identify := range identities {
		free := map[identity][]int{}
		for i := range before.Releases {
			j := &before.Releases[i]
			if id, ok := identify(*j); ok && !taken[i] && (way < sure || are.hides(j) == nil) {
				id.cluster = j.Cluster
				free[id] = append(free[id], i)
			}
		}
		for i := range after.Releases {
			j := &after.Releases[i]
			out[i].after = j
			if out[i].before != nil {
				continue
			}
			id, ok := identify(*j)
			id.cluster = cmp.Or(renamed[j.Cluster], j.Cluster)
			if at := free[id]; ok && len(at) > 0 && (way < sure || were.hides(j) == nil) {
				out[i].before, taken[at[0]], free[id] = &before.Releases[at[0]], true, at[1:]
			}
		}
	}
	for i := range before.Releases {
		if !taken[i] {
			out = append(out, pair{before: &before.Releases[i]})
		}
	}
	return out
}

// renamedClusters returns for each cluster that is new which one that is gone it was: the
// one with which it has most in common, at least half of its releases.
func renamedClusters(before, after Side) map[string]string {
	were, are := before.clusters(), after.clusters()
	type likeness struct {
		from, to string
		score    int
	}
	var all []likeness
	for to, now := range are {
		for from, was := range were {
			if are[from] != nil || were[to] != nil {
				continue
			}
			if score, same := inCommon(was, now); 2*same >= min(len(was), len(now)) {
				all = append(all, likeness{from, to, score})
			}
		}
	}
	slices.SortFunc(all, func(a, b likeness) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to))
	})
	out, taken := map[string]string{}, map[string]bool{}
	for _, l := range all {
		if out[l.to] == "" && !taken[l.from] {
			out[l.to], taken[l.from] = l.from, true
		}
	}
	return out
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

// inCommon counts the releases that two clusters have in common, and more for those of
// the same file and tier.
func inCommon(was, now map[release.Name]Judged) (score, same int) {
	for name, j := range now {
		old, ok := was[name]
		if !ok {
			continue
		}
		same++
		score++
		if old.File == j.File {
			score++
		}
		if old.Tier == j.Tier {
			score++
		}
	}
	return score, same
}
