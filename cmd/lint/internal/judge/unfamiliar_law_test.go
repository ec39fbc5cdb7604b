package judge_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

var (
	unfamiliar      = flag.Int("unfamiliar", 150, "trees into which something unknown is drawn")
	unfamiliarTrees = flag.String("unfamiliar-trees", "", "folders of the trees, instead of example fleets and made up ones")
)

// draw is something that may be newer than this program, drawn into a manifest.
type draw struct {
	name string
	line *regexp.Regexp
	with string
	// beside is true if what is known beside it means what it meant.
	beside bool
	// part is what it writes into the failure settings; empty if it writes nothing there.
	part string
}

func drawOf(name, line, with string, beside bool) draw {
	return draw{name: name, line: regexp.MustCompile(`(?m)` + line), with: with, beside: beside}
}

func (d draw) of(part string) draw {
	d.part = part
	return d
}

// draws are what a later Flux may bring: fields, values, gates, versions and kinds.
var draws = []draw{
	drawOf("field of a release", `^( *)interval: (\S+)$`, "${1}interval: $2\n${1}patience: 5m", true),
	drawOf("object in a release", `^( *)interval: (\S+)$`, "${1}interval: $2\n${1}future: {mode: Wait, after: 5m}", true),
	drawOf("field of a half", `^( *)(install|upgrade): \{`, "$1$2: {stamina: 5m, ", true).of("stamina"),
	drawOf("field of a strategy", `strategy: \{`, "strategy: {jitter: 5m, ", true).of("jitter"),
	drawOf("field of a reference", `chartRef: \{`, "chartRef: {digest: x, ", true),
	drawOf("value of a strategy", `strategy: \{name: \w+`, "strategy: {name: Gradual", false).of("Gradual"),
	drawOf("kind of a chart", `chartRef: \{kind: \w+`, "chartRef: {kind: Torrent", true),
	drawOf("version of a release", `helm\.toolkit\.fluxcd\.io/v2\b`, "helm.toolkit.fluxcd.io/v3", false),
	drawOf("version of a Kustomization", `kustomize\.toolkit\.fluxcd\.io/v1$`, "kustomize.toolkit.fluxcd.io/v2", false),
	drawOf("version of a source", `source\.toolkit\.fluxcd\.io/v1$`, "source.toolkit.fluxcd.io/v2", false),
	drawOf("field of a Kustomization", `^( *)path: (\S+)$`, "${1}path: $2\n${1}pruneAfter: 5m", false),
	drawOf("kind of a source", `sourceRef: \{kind: GitRepository`, "sourceRef: {kind: Torrent", false),
	drawOf("kind beside a release", `\z`, "\n---\napiVersion: source.toolkit.fluxcd.io/v1\nkind: Torrent\nmetadata: {name: later, namespace: apps}\n", true),
	drawOf("mode", `(?s)(kind: HelmRelease\nmetadata: \{)`, "${1}annotations: {kustomize.toolkit.fluxcd.io/ssa: Gently}, ", true),
	drawOf("mark", `(?s)(kind: HelmRelease\nmetadata: \{)`, "${1}annotations: {kustomize.toolkit.fluxcd.io/reconcile: paused}, ", true),
	drawOf("gate", `--feature-gates=`, "--feature-gates=RetryGently=true,", true),
	drawOf("wait strategy", `^( *)interval: (\S+)$`, "${1}interval: $2\n${1}waitStrategy: {name: patient}", true).of("patient"),
	drawOf("drift detection", `^( *)interval: (\S+)$`, "${1}interval: $2\n${1}driftDetection: {mode: repair}", true).of("repair"),
	drawOf("field of a half in a block", `^( *)(install|upgrade):\n`, "$1$2:\n$1  stamina: 5m\n", true).of("stamina"),
	drawOf("field of a strategy in a block", `^( *)strategy:\n( +)name:`, "$1strategy:\n${2}jitter: 5m\n${2}name:", true).of("jitter"),
	drawOf("value of a strategy in a block", `^( *)strategy:\n( +)name: \w+`, "$1strategy:\n${2}name: Gradual", false).of("Gradual"),
	drawOf("field of a reference in a block", `^( *)chartRef:\n( +)kind:`, "$1chartRef:\n${2}digest: x\n${2}kind:", true),
	drawOf("kind of a chart in a block", `^( *)chartRef:\n( +)kind: \w+`, "$1chartRef:\n${2}kind: Torrent", true),
	drawOf("kind of a source in a block", `^( *)sourceRef:\n( +)kind: GitRepository`, "$1sourceRef:\n${2}kind: Torrent", false),
	drawOf("mode in a block", `(kind: HelmRelease\nmetadata:\n)( +)name:`, "$1${2}annotations: {kustomize.toolkit.fluxcd.io/ssa: Gently}\n${2}name:", true),
	drawOf("deletion propagation", `^( *)interval: (\S+)$`, "${1}interval: $2\n${1}uninstall: {deletionPropagation: later}", true).of("later"),
}

// into returns files with something drawn into one of them, where it fits; nil if it fits nowhere.
func (d draw) into(r *rand.Rand, files map[string][]byte) (map[string][]byte, string) {
	names := slices.Sorted(maps.Keys(files))
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	for _, name := range names {
		at := d.line.FindAllSubmatchIndex(files[name], -1)
		if len(at) == 0 || !strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, "kustomization.yaml") {
			continue
		}
		one := at[r.IntN(len(at))]
		text := d.line.Expand(slices.Clone(files[name][:one[0]]), []byte(d.with), files[name], one)
		out := maps.Clone(files)
		out[name] = append(text, files[name][one[1]:]...)
		return out, name
	}
	return nil, ""
}

// drawn are draws together, into a tree whose clusters have a definition of HelmRelease.
type drawn struct {
	draws      []draw
	definition string // empty without one
}

func (d drawn) String() string {
	text := "definition " + cmp.Or(d.definition, "unknown")
	for _, one := range d.draws {
		text += ", " + one.name
	}
	return text
}

func (d drawn) beside() bool {
	return !slices.ContainsFunc(d.draws, func(one draw) bool { return !one.beside })
}

// Whatever a later Flux may bring, no release vanishes, nothing is an error that was none where the
// API is not known, and nothing passes that violates.
func TestNewerFlux(t *testing.T) {
	j := newJudgement(t)
	fleets, least := exampleTrees(t), len(draws)
	if *unfamiliarTrees != "" {
		fleets, least = foldersOf(t, strings.Fields(*unfamiliarTrees)), 1
	}
	names := slices.Sorted(maps.Keys(fleets))
	known := map[string]report.Side{} // what each fleet is before, by its name and definition
	definitions := map[string][]byte{"1.7.1": definitionOf(t, nil), "of tomorrow": definitionOf(t, tomorrow)}
	tried := map[string]int{}
	for i := range *unfamiliar {
		r := rand.New(rand.NewPCG(28, uint64(i)))
		of, files := "made up", map[string][]byte(nil)
		switch {
		case *unfamiliarTrees != "":
			of = names[i%len(names)]
			files = fleets[of]
		case i%2 == 1:
			of = pick(r, names...)
			files = fleets[of]
		default:
			files = random(r).files()
		}
		d := drawn{definition: pick(r, "", "", "1.7.1", "of tomorrow")}
		if hasDefinition(files) {
			d.definition = ""
		}
		files = withDefinition(files, definitions[d.definition])
		with := files
		for n := range 1 + r.IntN(3) {
			one := draws[(i/2+n*7)%len(draws)]
			if *unfamiliarTrees != "" {
				one = pick(r, draws...)
			}
			if more, where := one.into(r, with); more != nil && !strings.Contains(string(more[where]), "/v2beta") { // of which all is known
				d.draws, with = append(d.draws, one), more
				tried[one.name]++
			}
		}
		if len(d.draws) == 0 {
			continue
		}
		tried[d.definition]++
		before, ok := known[of+" "+d.definition]
		if !ok {
			before = j.side(tree.Of(nil).With(files))
		}
		if of != "made up" {
			known[of+" "+d.definition] = before
		}
		after := j.side(tree.Of(nil).With(with))
		for _, wrong := range d.wrong(before, after) {
			t.Errorf("tree %d (%s), %s: %s\n%s", i, of, d, wrong, changes(files, with))
		}
	}
	t.Log(tried)
	if len(tried) < least {
		t.Errorf("only %d of %d draws fit anywhere", len(tried), len(draws))
	}
}

// changes returns the files that are not the same.
func changes(before, after map[string][]byte) (out string) {
	for _, name := range slices.Sorted(maps.Keys(after)) {
		if string(before[name]) != string(after[name]) {
			out += "-- " + name + " --\n" + string(after[name])
		}
	}
	return out
}

// tomorrow are the draws as a definition has them, by the path below spec.
var tomorrow = map[string]any{
	"patience": "string", "install.stamina": "string", "upgrade.stamina": "string", "install.strategy.jitter": "string", "upgrade.strategy.jitter": "string",
	"chartRef.digest": "string", "install.strategy.name": "string", "upgrade.strategy.name": "string", "chartRef.kind": "string", "waitStrategy.name": "string",
	"driftDetection.mode": "string", "uninstall.deletionPropagation": "string", "future": nil,
}

// definitionOf returns the newest definition of HelmRelease, with other fields.
func definitionOf(t *testing.T, other map[string]any) []byte {
	t.Helper()
	data, err := os.ReadFile("../../../../testdata/crds/helmreleases-1.7.1.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var definition map[string]any
	if err := yaml.Unmarshal(data, &definition); err != nil {
		t.Fatal(err)
	}
	for _, v := range definition["spec"].(map[string]any)["versions"].([]any) {
		for name, kind := range other {
			at := v.(map[string]any)["schema"].(map[string]any)["openAPIV3Schema"].(map[string]any)["properties"].(map[string]any)["spec"].(map[string]any)
			steps := strings.Split(name, ".")
			for _, step := range steps[:len(steps)-1] {
				at = at["properties"].(map[string]any)[step].(map[string]any)
			}
			schema := map[string]any{"type": kind}
			if kind == nil {
				schema = map[string]any{"x-kubernetes-preserve-unknown-fields": true}
			}
			at["properties"].(map[string]any)[steps[len(steps)-1]] = schema
		}
	}
	if data, err = yaml.Marshal(definition); err != nil {
		t.Fatal(err)
	}
	return data
}

// hasDefinition reports whether a cluster has a definition of its own.
func hasDefinition(files map[string][]byte) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(name string) bool { return path.Base(name) == "gotk-components.yaml" })
}

// withDefinition returns files with a definition where bootstrap writes it, beside what begins a
// cluster, unless there is one.
func withDefinition(files map[string][]byte, definition []byte) map[string][]byte {
	out := maps.Clone(files)
	for name, data := range files {
		beside := path.Join(path.Dir(name), "gotk-components.yaml")
		if _, ok := files[beside]; definition != nil && !ok && strings.Contains(string(data), "sourceRef:") {
			out[beside] = definition
		}
	}
	return out
}

// exampleTrees returns the files of the example fleets in which nothing is broken.
func exampleTrees(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	dirs, err := filepath.Glob("../../../../testdata/fleet/*")
	if err != nil || len(dirs) < 20 {
		t.Fatal(len(dirs), err)
	}
	return foldersOf(t, dirs)
}

// foldersOf returns the files of folders, by their names.
func foldersOf(t *testing.T, dirs []string) map[string]map[string][]byte {
	t.Helper()
	out := map[string]map[string][]byte{}
	for _, dir := range dirs {
		files, err := tree.Folder(t.Context(), dir, tree.Options{})
		if err != nil {
			t.Fatal(err)
		}
		content := map[string][]byte{}
		for _, name := range files.Paths() {
			if content[name], err = files.ReadFile(name); err != nil {
				t.Fatal(err)
			}
		}
		out[filepath.Base(dir)] = content
	}
	return out
}

// wrong returns what draws must not change. Of a release that a cluster may have in several ways
// only their number counts.
func (d drawn) wrong(before, after report.Side) (out []string) {
	were, are := byTitle(before), byTitle(after)
	for _, title := range slices.Sorted(maps.Keys(were)) {
		was, is := were[title], are[title]
		told := told(was[0], before, after)
		switch {
		case len(is) < len(was) && told == "":
			out = append(out, title+" is gone without a word")
		case len(is) != 1 || len(was) != 1:
		case was[0].Class == rules.ClassViolating && is[0].Class != rules.ClassViolating && (d.beside() && told != "cluster" || told == ""):
			out = append(out, fmt.Sprintf("%s was violating and is %s", title, is[0].Class))
		case was[0].Class != rules.ClassUnknown && is[0].Class == rules.ClassUnknown && told == "":
			out = append(out, title+" is of no class, without a word")
		case told != "cluster":
			out = append(out, d.wrongOf(was[0], is[0], title, told != "" || unchecked(is[0], after))...)
		}
	}
	if status(before) > 0 && status(after) == 0 {
		out = append(out, "a strict run failed, and passes")
	}
	return out
}

// wrongOf is wrong for a release of a cluster of which all that is known is as it was.
func (d drawn) wrongOf(was, is report.Judged, title string, told bool) (out []string) {
	defined := is.Controller.Schema != nil
	if d.definition == "of tomorrow" && defined || !is.Controller.KnowsSchema() {
		for _, f := range newErrors(was, is) {
			out = append(out, fmt.Sprintf("%s has a new error: %s: %s", title, f.Rule, f.Message))
		}
	}
	settings, _ := is.Spec.(map[string]any)
	settings = maps.Clone(settings)
	delete(settings, "values")
	spec := fmt.Sprint(settings)
	for _, one := range d.draws {
		drawn := one.part != "" && strings.Contains(spec, one.part)
		api := slices.ContainsFunc(is.Findings, func(f report.Finding) bool { return f.Category == "api" })
		if drawn && !told && !api {
			out = append(out, title+": nothing is said of the "+one.name)
		}
	}
	return out
}

// status returns the exit code of a strict run.
func status(s report.Side) int {
	for _, r := range s.Releases {
		if slices.ContainsFunc(r.Findings, func(f report.Finding) bool { return f.Severity == rules.Error }) {
			return 1
		}
	}
	if len(s.Problems) > 0 {
		return 2
	}
	return min(len(s.Undetermined)+len(s.Unapplied), 1) * 4
}

func byTitle(s report.Side) map[string][]report.Judged {
	out := map[string][]report.Judged{}
	for _, r := range s.Releases {
		title := fmt.Sprintf("%s in %q", r.Name, r.Cluster)
		out[title] = append(out[title], r)
	}
	return out
}

// told returns of what something is newly said that is not known: a cluster as a whole, which may so
// have another controller, or a release; empty if of neither.
func told(r report.Judged, before, after report.Side) (of string) {
	was := slices.Concat(before.Undetermined, before.Unapplied)
	if len(after.Problems) > len(before.Problems) {
		return "cluster"
	}
	for _, u := range slices.Concat(after.Undetermined, after.Unapplied) {
		switch {
		case slices.Contains(was, u):
		case u.Release == "" && u.Cluster == r.Cluster && !strings.Contains(u.Reason, "judged as if"):
			return "cluster"
		case u.Release == r.Name.String():
			of = "release"
		}
	}
	return of
}

// unchecked reports whether it is said of a release that its values are not checked, for a variable that is not known.
func unchecked(r report.Judged, in report.Side) bool {
	return slices.ContainsFunc(in.Undetermined, func(u release.Undetermined) bool {
		return u.Release == r.Name.String() && u.Cluster == r.Cluster && strings.Contains(u.Reason, "invalid-value")
	})
}

// newErrors returns the errors of a category that had none.
func newErrors(was, is report.Judged) []report.Finding {
	return slices.DeleteFunc(slices.Clone(is.Findings), func(f report.Finding) bool {
		had := slices.ContainsFunc(was.Findings, func(o report.Finding) bool { return o.Category == f.Category && o.Severity == rules.Error })
		return f.Severity != rules.Error || had
	})
}
