package rules

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// custom are rules that read an input in ways in which no built-in one does.
const custom = `# METADATA
# title: T
# description: D
# custom:
#   severity: {production: error, staging: warning, development: info}
package remedy.rules.recovery["reads-all"]

report contains {"path": ["metadata"], "message": sprintf("%v", [input.object.metadata])} if input.object.metadata.labels

report contains {"path": ["spec", "test"], "message": "as before"} if input.object.spec.test == input.old.spec.test

report contains {"path": ["spec", "install"], "message": "halves alike"} if input.effective.install == input.effective.upgrade

report contains {"path": ["spec", key], "message": "a key"} if {
	some key in object.keys(input.object.spec)
	startswith(key, "t")
}

report contains {"path": ["spec"], "message": json.marshal(item)} if {
	some item in input.object.spec.dependsOn
	item.name != "a"
}

report contains {"path": ["spec", "upgrade"], "message": sprintf("%d of them", [count(all)])} if {
	all := {item | some item in input.object.spec.dependsOn} | {item | some item in input.old.spec.dependsOn}
	count(all) > 1
}

report contains {"path": ["kind"], "message": "many"} if count(input.fields) > 12
`

// choices are values for fields of an object, some of them nonsense.
var choices = []struct {
	path   []string
	values []any
}{
	{[]string{"apiVersion"}, []any{"helm.toolkit.fluxcd.io/v2", "helm.toolkit.fluxcd.io/v2beta2"}},
	{[]string{"metadata", "name"}, []any{"a", "b"}},
	{[]string{"metadata", "labels"}, []any{map[string]any{"x": "y"}, map[string]any{"x": "z"}}},
	{[]string{"spec", "interval"}, []any{"1h", "0s", "x", nil, 5.0}},
	{[]string{"spec", "timeout"}, []any{"5m", "0s", "", []any{"1m"}}},
	{[]string{"spec", "maxHistory"}, []any{0.0, 3.0, "3", 1.5}},
	{[]string{"spec", "suspend"}, []any{true, false, "true"}},
	{[]string{"spec", "chart", "spec", "chart"}, []any{"app", "bitnami/redis", "redis/", "", nil, 1.0}},
	{[]string{"spec", "chart", "spec", "version"}, []any{"1.x", "2.x"}},
	{[]string{"spec", "chart", "spec", "sourceRef"}, []any{map[string]any{"kind": "HelmRepository", "name": "r"}, map[string]any{"kind": "x"}}},
	{[]string{"spec", "chartRef"}, []any{map[string]any{"kind": "OCIRepository", "name": "redis"}, "x"}},
	{[]string{"spec", "releaseName"}, []any{"one", "two", "a-name-that-is-much-longer-than-helm-allows-for-any-release-of-a-chart"}},
	{[]string{"spec", "targetNamespace"}, []any{"apps", "other", ""}},
	{[]string{"spec", "install"}, []any{map[string]any{"crds": "Skip"}, map[string]any{"crds": "skip"}, nil, "x", map[string]any{}}},
	{[]string{"spec", "install", "strategy", "name"}, []any{"RetryOnFailure", "RemediateOnFailure", "retry"}},
	{[]string{"spec", "install", "strategy", "retryInterval"}, []any{"0s", "1m", "1 m"}},
	{[]string{"spec", "install", "remediation", "retries"}, []any{-1.0, 0.0, 3.0, 99.0, "3"}},
	{[]string{"spec", "install", "disableWait"}, []any{true, false}},
	{[]string{"spec", "upgrade"}, []any{map[string]any{"crds": "Skip"}, map[string]any{"force": true}}},
	{[]string{"spec", "upgrade", "strategy", "name"}, []any{"RetryOnFailure", "RemediateOnFailure"}},
	{[]string{"spec", "upgrade", "remediation", "retries"}, []any{-1.0, 0.0, 3.0}},
	{[]string{"spec", "upgrade", "remediation", "strategy"}, []any{"rollback", "uninstall", "Rollback"}},
	{[]string{"spec", "upgrade", "remediation", "remediateLastFailure"}, []any{true, false}},
	{[]string{"spec", "test", "enable"}, []any{true, false}},
	{[]string{"spec", "test", "ignoreFailures"}, []any{true, false}},
	{[]string{"spec", "uninstall", "keepHistory"}, []any{true, false}},
	{[]string{"spec", "rollback", "disableWait"}, []any{true, false}},
	{[]string{"spec", "dependsOn"}, []any{[]any{map[string]any{"name": "a"}}, []any{map[string]any{"name": "b"}, nil}, []any{}}},
	{[]string{"spec", "valuesFrom"}, []any{[]any{map[string]any{"kind": "Secret", "name": "s", "targetPath": "a b"}}}},
	{[]string{"spec", "instal"}, []any{map[string]any{"a.b": 1.0, "*": true, "": nil}}},
	{[]string{"spec", "values"}, []any{map[string]any{"a": 1.0}}},
	{[]string{"status", "history"}, []any{[]any{map[string]any{"status": "deployed"}}, []any{}}},
	{[]string{"metadata", "labels", "kustomize.toolkit.fluxcd.io/name"}, []any{"a", "b"}},
	{[]string{"status", "conditions"}, []any{[]any{map[string]any{"type": "Ready", "status": "False"}}}},
}

// chosen returns an object with some choices, two bytes for each.
func chosen(bytes []byte) map[string]any {
	object := map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "app", "namespace": "apps"},
		"spec":     map[string]any{"interval": "1h", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}},
	}
	for len(bytes) > 1 {
		choice := choices[int(bytes[0])%len(choices)]
		put(object, choice.path, choice.values[int(bytes[1])%len(choice.values)])
		bytes = bytes[2:]
	}
	return object
}

func put(object map[string]any, path []string, value any) {
	if len(path) == 1 {
		object[path[0]] = value
		return
	}
	below, _ := object[path[0]].(map[string]any)
	below = maps.Clone(below)
	if below == nil {
		below = map[string]any{}
	}
	object[path[0]] = below
	put(below, path[1:], value)
}

var controllers = []release.Controller{
	{},
	{Version: "1.6.3", Known: true},
	{Version: "1.3.0", Known: true},
	{Version: "1.4.2", Known: true, Gates: release.Gates{"DefaultToRetryOnFailure": true}},
}

// releaseOf returns a release, of an update if old is not empty.
func releaseOf(how byte, object, old []byte) (*release.Release, error) {
	r, err := release.Decode(chosen(object), controllers[int(how)%len(controllers)])
	if err != nil {
		return nil, err
	}
	r.Tier = release.Tiers[int(how/4)%len(release.Tiers)]
	if len(old) > 1 {
		r.Old = chosen(old)
	}
	if how >= 128 {
		r.Overridden = []release.Override{{Path: release.Path{"spec", "timeout"}, Written: "1m", Effective: r.Object["spec"].(map[string]any)["timeout"]}}
	}
	return r, nil
}

var saidEngine = sync.OnceValues(func() (*Engine, error) {
	own := fstest.MapFS{"recovery/reads-all/reads-all.rego": {Data: []byte(custom)}}
	return New(context.Background(), os.DirFS("../../policies"), own)
})

// sameSaid fails if an engine that remembers says something else than the policies.
func sameSaid(t *testing.T, engine *Engine, r *release.Release) {
	t.Helper()
	got, err := engine.Evaluate(t.Context(), r, time.Unix(0, 0))
	input, err2 := engine.Input(r)
	if err2 != nil {
		t.Fatal(err2)
	}
	told, err2 := engine.ask(t.Context(), input)
	if (err == nil) != (err2 == nil) {
		t.Fatalf("%v: error %v, want %v", r.Object, err, err2)
	}
	if err != nil {
		return
	}
	want, err := engine.verdict(told, r)
	if err != nil {
		t.Fatal(err)
	}
	if got.Class != want.Class || !reflect.DeepEqual(got.Findings, want.Findings) {
		t.Errorf("%v, old %v, controller %v:\n%v %s\n, want\n%v %s", r.Object, r.Old, r.Controller, got.Class, fmt.Sprint(got.Findings), want.Class, fmt.Sprint(want.Findings))
	}
}

// What is remembered is what the policies say, whatever was judged before.
func TestSaid(t *testing.T) {
	engine, err := saidEngine()
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	bytes := func(most int) []byte {
		out := make([]byte, 2*random.IntN(most))
		for i := range out {
			out[i] = byte(random.IntN(256))
		}
		return out
	}
	for range 3 { // what differs in one field only
		object, old, how := bytes(4), bytes(3), byte(random.IntN(256))
		for i, choice := range choices {
			for j := range choice.values {
				if r, err := releaseOf(how, append(object, byte(i), byte(j)), old); err == nil {
					sameSaid(t, engine, r)
				}
			}
		}
	}
	if limitsOf(t, engine, release.Production).said.size == 0 {
		t.Error("nothing is remembered")
	}
}

// alike are values that a short text of an answer might not tell apart.
var alike = []any{
	nil, 0.0, 1.0, -1.0, "0", false, true, "false", "null", "", "-", "{", "[",
	map[string]any{},
	[]any{},
	[]any{nil},
	[]any{0.0},
	[]any{""},
	[]any{[]any{}},
	[]any{[]any{}, []any{}},
	[]any{[]any{[]any{}}},
	[]any{map[string]any{}},
	[]any{"", ""},
	[]any{",", "\",\""},
	[]any{nil, nil},
}

// Answers tell values apart, however alike they are. What is in objects is asked of these.
func TestAnswersDiffer(t *testing.T) {
	seen := map[string]any{}
	for _, value := range alike {
		r := &release.Release{Object: map[string]any{"spec": map[string]any{"timeout": value}}}
		answer := string((&view{r: r}).answer(nil, question{at: []any{"object", "spec", "timeout"}}))
		if other, ok := seen[answer]; ok {
			t.Errorf("%#v and %#v have the same answer %s", other, value, answer)
		}
		seen[answer] = value
	}
}

func FuzzSaid(f *testing.F) {
	engine, err := saidEngine()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(byte(1), []byte{13, 0, 16, 2}, []byte{31, 0, 32, 0})
	f.Fuzz(func(t *testing.T, how byte, object, old []byte) {
		for n := 0; n <= len(object); n += 2 { // each has one choice more than the last
			r, err := releaseOf(how, object[:n], old)
			if err != nil {
				continue
			}
			sameSaid(t, engine, r)
		}
	})
}

// What is remembered does not grow without end, and neither do laws.
func TestSaidForgets(t *testing.T) {
	s := &said{size: maxSaid, first: &step{told: &told{}}}
	typed := &view{r: &release.Release{}, input: Input{Typed: true}}
	s.remember(typed, []question{{at: []any{"typed"}}}, told{Class: ClassRetry})
	if s.size > maxSaid || s.first.told != nil {
		t.Errorf("%d bytes are remembered", s.size)
	}
	s = &said{}
	s.remember(typed, []question{{at: []any{"typed"}}}, told{Report: []report{{Message: strings.Repeat("x", maxSaidOne)}}})
	if s.first != nil {
		t.Error("a large verdict is remembered")
	}
	many := sayings{}
	for i := range 3 * maxSayings {
		many.under(fmt.Sprint(i))
	}
	if len(many.said) > maxSayings+1 {
		t.Errorf("%d laws are remembered", len(many.said))
	}
}

func TestStateful(t *testing.T) {
	engine, err := saidEngine()
	if err != nil {
		t.Fatal(err)
	}
	if engine, err = engine.Under(&Config{Spec: ConfigSpec{Law: LawConfig{LawSetting: LawSetting{StatefulCharts: []string{"shop", ""}}}}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec map[string]any
		want bool
	}{
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "shop"}}}, true},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "./charts/shop/"}}}, true},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "shop/web"}}}, false},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "redis"}}}, false},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{}}, "chartRef": map[string]any{"name": "shop"}}, true},
	} {
		r := &release.Release{Object: map[string]any{"spec": c.spec}, Tier: release.Production}
		if got := engine.inputOf(r).Stateful; got != c.want {
			t.Errorf("%v: %v", c.spec, got)
		}
	}
}

// BenchmarkNew compiles the policies, of which most is prepared.
func BenchmarkNew(b *testing.B) {
	source := os.DirFS("../../policies")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(b.Context(), source); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkEvaluate judges a release like one that was judged before, as if none was, and
// without noting what the rules ask.
func BenchmarkEvaluate(b *testing.B) {
	engine, err := New(context.Background(), os.DirFS("../../policies"))
	if err != nil {
		b.Fatal(err)
	}
	r, err := releaseOf(1, []byte{13, 0, 16, 2, 19, 1, 20, 2}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, judge := range map[string]func() error{
		"again": func() error { _, err := engine.Evaluate(b.Context(), r, time.Unix(0, 0)); return err },
		"unheard": func() error {
			input, err := engine.Input(r)
			if err == nil {
				_, err = engine.ask(b.Context(), input)
			}
			return err
		},
		"first": func() error {
			*limitsOf(b, engine, r.Tier).said = said{}
			limitsOf(b, engine, r.Tier).said.begun.Store(true)
			_, err := engine.Evaluate(b.Context(), r, time.Unix(0, 0))
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := judge(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func limitsOf(t testing.TB, e *Engine, tier release.Tier) limits {
	t.Helper()
	limits, err := e.limitsOf(tier)
	if err != nil {
		t.Fatal(err)
	}
	return limits
}
