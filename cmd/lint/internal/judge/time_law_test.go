package judge_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// fleet is a repository that is made up: clusters that apply the same apps, each with a
// patch of its own or none.
type fleet struct {
	dir      string // of the apps
	clusters []cluster
	apps     []app
}

type cluster struct {
	key, name string // the key stays when the name changes
	patch     settings
	without   string // the key of an app that it does not apply
}

type app struct {
	key, name, file string
	settings
}

// settings are those of both halves: without a strategy none are written.
type settings struct {
	strategy string
	retries  int
	interval string
	timeout  string
}

func random(r *rand.Rand) fleet {
	f := fleet{dir: "apps"}
	for _, key := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		f.apps = append(f.apps, app{key, key, key + ".yaml", pick(r, settings{}, randomSettings(r))})
	}
	for _, name := range []string{"production", "staging", "production-eu"}[:1+r.IntN(3)] {
		c := cluster{key: name, name: name}
		if name != "staging" {
			c.without = pick(r, "", "a", "a")
		}
		c.patch = pick(r, settings{}, settings{"RemediateOnFailure", pick(r, 11, 12), "5m", "1m"}, settings{"RetryOnFailure", 3, "30s", "10m"})
		f.clusters = append(f.clusters, c)
	}
	return f
}

func randomSettings(r *rand.Rand) settings {
	return settings{
		pick(r, "", "RetryOnFailure", "RemediateOnFailure"), pick(r, 0, 1, 3, 11, 12, 1000, -1),
		pick(r, "1s", "30s", "90s", "5m", "2h"), pick(r, "", "0s", "1m", "10m", "1h", "8h"),
	}
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.IntN(len(from))] }

// edits is the number of ways to change a fleet.
const edits = 9

// changed returns the fleet after an edit. A cluster that is renamed is the only one that
// is gone.
func (f fleet) changed(r *rand.Rand, edit int) fleet {
	f.apps, f.clusters = slices.Clone(f.apps), slices.Clone(f.clusters)
	a, c := &f.apps[r.IntN(len(f.apps))], &f.clusters[r.IntN(len(f.clusters))]
	switch edit % edits {
	case 0:
		a.settings = randomSettings(r)
	case 1:
		c.patch = randomSettings(r)
	case 2: // the same, and worse
		for i := range f.clusters {
			f.clusters[i].patch.retries, f.clusters[i].patch.interval = 1000, "1s"
		}
		a.retries, a.interval = 1000, "1s"
	case 3: // in another cluster, too
		c.patch = f.clusters[r.IntN(len(f.clusters))].patch
	case 4:
		for i := range f.clusters {
			f.clusters[i].without = ""
		}
	case 5:
		return f.renamed(r, r.IntN(renames))
	case 6: // to another tier
		c.name = strings.Replace(c.name, "staging", "production-of-staging", 1)
	case 7:
		f.clusters = f.clusters[min(1, len(f.clusters)-1):]
	case 8: // one goes and another comes
		f.apps = f.apps[1:]
		return f.grown(r)
	}
	return f
}

// grown returns the fleet with one more app.
func (f fleet) grown(r *rand.Rand) fleet {
	f.apps = append(slices.Clone(f.apps), app{"new", "new", "new.yaml", pick(r, settings{}, settings{}, randomSettings(r))})
	return f
}

// renames is the number of ways to rename something.
const renames = 5

// renamed returns the fleet with another name of one thing.
func (f fleet) renamed(r *rand.Rand, way int) fleet {
	f.apps, f.clusters = slices.Clone(f.apps), slices.Clone(f.clusters)
	a := &f.apps[r.IntN(len(f.apps))]
	switch way % renames {
	case 0:
		c := &f.clusters[r.IntN(len(f.clusters))]
		c.name = strings.Replace(c.name, c.key, c.key+"-of-a-new-name", 1)
	case 1:
		f.dir = "workloads"
	case 2:
		a.file = "sub/" + a.name + ".yaml"
	case 3:
		a.name += "-renamed"
	case 4:
		a.name, a.file = a.name+"-renamed", "other.yaml"
	}
	return f
}

// files returns the repository.
func (f fleet) files() map[string][]byte {
	out := map[string][]byte{}
	for _, a := range f.apps {
		out[f.dir+"/"+a.file] = fmt.Appendf(nil, "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: %s, namespace: apps}\n"+
			"spec:\n  interval: 1h\n  chartRef: {kind: OCIRepository, name: %s}\n%s", a.name, a.key, a.yaml("  "))
	}
	for _, c := range f.clusters {
		dir := "clusters/" + c.name
		out[dir+"/flux-system/gotk-sync.yaml"] = fmt.Appendf(nil, kustomization, "flux-system", dir)
		text := fmt.Sprintf(kustomization, "apps", f.dir)
		var patches string
		if yaml := c.patch.yaml("        "); yaml != "" {
			patches += "  - target: {kind: HelmRelease}\n    patch: |\n      apiVersion: helm.toolkit.fluxcd.io/v2\n      kind: HelmRelease\n" +
				"      metadata: {name: all}\n      spec:\n" + yaml
		}
		for _, a := range f.apps {
			if a.key == c.without {
				patches += "  - target: {kind: HelmRelease, name: " + a.name + "}\n    patch: |\n      apiVersion: helm.toolkit.fluxcd.io/v2\n      kind: HelmRelease\n" +
					"      metadata: {name: " + a.name + "}\n      $patch: delete\n"
			}
		}
		if patches != "" {
			text += "  patches:\n" + patches
		}
		out[dir+"/apps.yaml"] = []byte(text)
	}
	return out
}

const kustomization = `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: %s, namespace: flux-system}
spec:
  interval: 10m
  prune: true
  path: ./%s
  sourceRef: {kind: GitRepository, name: flux-system}
`

func (s settings) yaml(indent string) string {
	var b strings.Builder
	if s.timeout != "" {
		fmt.Fprintf(&b, "%stimeout: %s\n", indent, s.timeout)
	}
	for _, half := range []string{"install", "upgrade"} {
		switch s.strategy {
		case "RetryOnFailure":
			fmt.Fprintf(&b, "%s%s: {strategy: {name: RetryOnFailure, retryInterval: %s}}\n", indent, half, s.interval)
		case "RemediateOnFailure":
			fmt.Fprintf(&b, "%s%s: {strategy: {name: RemediateOnFailure}, remediation: {retries: %d}}\n", indent, half, s.retries)
		}
	}
	return b.String()
}

// key identifies a release of a fleet, whatever it is called.
type key struct{ cluster, app string }

func (f fleet) keyOf(j report.Judged) key {
	var k key
	for _, c := range f.clusters {
		if c.name == j.Cluster {
			k.cluster = c.key
		}
	}
	for _, a := range f.apps {
		if a.name == j.Name.Name {
			k.app = a.key
		}
	}
	return k
}

// judgement judges trees, each build and each release once.
type judgement struct {
	*testing.T
	engine  *rules.Engine
	builder *build.Builder
}

func newJudgement(t *testing.T) judgement {
	t.Helper()
	engine, err := rules.New(t.Context(), policies.FS)
	if err != nil {
		t.Fatal(err)
	}
	return judgement{t, engine, build.NewBuilder()}
}

func (j judgement) side(files *tree.Tree) report.Side {
	j.Helper()
	config := &rules.Config{}
	found, err := effective.Load(j.Context(), effective.Options{Config: config, Builder: j.builder, Inputs: []effective.Input{{Files: files}}})
	if err != nil {
		j.Fatal(err)
	}
	state, err := judge.Evaluate(j.Context(), j.engine, judge.Configuration{Config: config}, found, time.Unix(0, 0))
	if err != nil {
		j.Fatal(err)
	}
	return state.Side(judge.Shown{})
}

func (j judgement) of(f fleet) report.Side { return j.side(tree.Of(nil).With(f.files())) }

// What is compared with itself has no news, nor has what is only renamed.
func TestNoNewsOfTheSame(t *testing.T) {
	j := newJudgement(t)
	dirs, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil || len(dirs) < 20 {
		t.Fatal(len(dirs), err)
	}
	for _, dir := range dirs {
		files, err := tree.Folder(t.Context(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		side := j.side(files)
		if d := report.Compare("before", side, side, false); len(d.Changes) > 0 || len(d.Undetermined)+len(d.Unapplied) > 0 {
			t.Errorf("%s: %+v, want no change", dir, d)
		}
	}
	r := rand.New(rand.NewPCG(13, 0))
	for way := range 2 * renames {
		before := random(r)
		after := before.renamed(r, way)
		s := report.Compare("before", j.of(before), j.of(after), false).Summary
		s.Releases, s.Renamed = 0, 0
		if s != (report.DiffSummary{}) {
			t.Fatalf("%s\nis renamed as\n%s\nand gives %+v", written(before), written(after), s)
		}
	}
}

// A release that gets worse in anything is reported: as new or worse, if it was not there as
// what it inherits of a cause that was there and as bad, or as what remains of what was as bad
// in it, where no forecast gets worse.
func TestWorseIsReported(t *testing.T) {
	j := newJudgement(t)
	r := rand.New(rand.NewPCG(13, 1))
	worsened, inherited, remaining := 0, 0, 0
	for edit := range 4 * edits {
		before := random(r)
		after := before.changed(r, edit)
		if edit%2 == edit/edits%2 && edit%edits != 8 {
			after = after.grown(r)
		}
		was, is := j.of(before), j.of(after)
		had, there := findings(before, was), map[key]bool{}
		for _, old := range was.Releases {
			there[before.keyOf(old)] = true
		}
		diff := report.Compare("before", was, is, false)
		for _, now := range is.Releases {
			k := after.keyOf(now)
			for _, f := range now.Findings {
				if slices.ContainsFunc(had[k], func(old report.Finding) bool { return covers(old, f) && old.Path == f.Path }) {
					continue
				}
				worsened++
				gained, old, left := reports(diff, now, f)
				if old {
					inherited++
				}
				if left {
					remaining++
				}
				if !gained && (!old || there[k] || !had.cause(k, f)) && (!left || !had.asBad(k, f)) {
					t.Fatalf("%s\nbecomes\n%s\n%s of %v at %s is not reported: gained %v, inherited %v", written(before), written(after), f.Rule, k, f.Path, gained, old)
				}
			}
		}
	}
	if worsened < 60 || inherited < 10 || remaining == 0 {
		t.Errorf("only %d findings were worse, %d of them inherited, %d what remains", worsened, inherited, remaining)
	}
}

// covers reports whether a finding is as bad as another one of its rule.
func covers(old, f report.Finding) bool {
	return old.Rule == f.Rule && old.Severity.AtLeast(f.Severity) && old.Degree >= f.Degree
}

// found are the findings of a state by release.
type found map[key][]report.Finding

func findings(f fleet, side report.Side) found {
	out := found{}
	for _, j := range side.Releases {
		out[f.keyOf(j)] = append(out[f.keyOf(j)], j.Findings...)
	}
	return out
}

// cause reports whether the patch of the same cluster, or the file of the same app, made
// what is as bad as a finding.
func (had found) cause(k key, f report.Finding) bool {
	patched := func(f report.Finding) bool { return strings.HasPrefix(f.File, "clusters/") }
	for of, all := range had {
		near := patched(f) && of.cluster == k.cluster || !patched(f) && of.app == k.app
		if near && slices.ContainsFunc(all, func(old report.Finding) bool { return patched(old) == patched(f) && covers(old, f) }) {
			return true
		}
	}
	return false
}

// asBad reports whether the release had something as bad as a finding, that is not waived.
func (had found) asBad(k key, f report.Finding) bool {
	return slices.ContainsFunc(had[k], func(old report.Finding) bool { return old.Severity.AtLeast(f.Severity) && old.Waived == nil })
}

// reports reports whether a diff has a finding of a release, and as what.
func reports(d report.Diff, j report.Judged, f report.Finding) (gained, inherited, remains bool) {
	same := func(g report.Finding) bool { return g.Rule == f.Rule && g.Path == f.Path }
	for _, c := range d.Changes {
		if c.Name == j.Name && c.Cluster == j.Cluster {
			gained = gained || slices.ContainsFunc(c.Gained, same)
			inherited = inherited || slices.ContainsFunc(c.Inherited, same)
			worse := slices.ContainsFunc(c.Forecasts, func(f report.ForecastChange) bool { return f.Trend == report.Worse })
			remains = remains || slices.ContainsFunc(c.Remaining, same) && !worse
		}
	}
	return gained, inherited, remains
}

func written(f fleet) string {
	var b strings.Builder
	files := f.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "-- %s --\n%s", name, files[name])
	}
	return b.String()
}
