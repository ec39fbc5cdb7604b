package rules

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
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
	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"

	opa "github.com/open-policy-agent/opa/v1/rego"
	"github.com/open-policy-agent/opa/v1/storage/inmem"
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

// compares is a rule that reads of each field only whether it is some text.
const compares = `# METADATA
# title: T
# description: D
# custom:
#   severity: {production: error, staging: warning, development: info}
package remedy.rules.recovery["compares"]

report contains {"path": ["spec", "releaseName"], "message": "two"} if input.object.spec.releaseName == "two"

report contains {"path": ["spec", "targetNamespace"], "message": "elsewhere"} if not input.object.spec.targetNamespace == "apps"

report contains {"path": ["spec", "timeout"], "message": "5m"} if input.object.spec.timeout == "5m"

report contains {"path": ["spec", "install"], "message": "retried"} if not input.effective.install.strategy == "RetryOnFailure"
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

// lawful is an engine beside the same policies as OPA alone evaluates them, from their
// entrypoint and without any memory.
type lawful struct {
	*Engine
	verdict opa.PreparedEvalQuery
}

var lawfulEngine = sync.OnceValues(func() (lawful, error) {
	sources := []fs.FS{os.DirFS("../../policies"), fstest.MapFS{"reads-all.rego": {Data: []byte(custom)}, "compares.rego": {Data: []byte(compares)}}}
	engine, err := New(context.Background(), sources...)
	if err != nil {
		return lawful{}, err
	}
	options := []func(*opa.Rego){opa.Query("data.remedy.main.verdict"), opa.StrictBuiltinErrors(true), opa.Store(inmem.NewFromObject(engine.Data()))}
	for _, source := range sources {
		err := fs.WalkDir(source, ".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(name, ".rego") || strings.HasSuffix(name, "_test.rego") {
				return err
			}
			data, err := fs.ReadFile(source, name)
			options = append(options, opa.Module(name, string(data)))
			return err
		})
		if err != nil {
			return lawful{}, err
		}
	}
	verdict, err := opa.New(options...).PrepareForEval(context.Background())
	return lawful{engine, verdict}, err
})

// says returns what OPA says of a release.
func (l lawful) says(t *testing.T, r *release.Release) (Verdict, error) {
	t.Helper()
	input, err := l.Input(r)
	if err != nil {
		t.Fatal(err)
	}
	results, err := l.verdict.Eval(t.Context(), opa.EvalParsedInput(input))
	if err != nil {
		return Verdict{}, err
	}
	var out struct {
		Class  Class    `json:"class"`
		Report []report `json:"report"`
	}
	raw, err := json.Marshal(results[0].Expressions[0].Value)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l.Engine.verdict(told{class: out.Class, report: out.Report}, r)
}

// sameVerdict fails if an engine that remembers says something else than OPA, of a release that an API server has
// admitted or of one that nobody has judged.
func sameVerdict(t *testing.T, l lawful, r *release.Release) {
	t.Helper()
	for _, r.Admitted = range []bool{false, true} {
		sameOf(t, l, r)
	}
}

func sameOf(t *testing.T, l lawful, r *release.Release) {
	t.Helper()
	got, err := l.Evaluate(t.Context(), r, time.Unix(0, 0))
	want, err2 := l.says(t, r)
	if (err == nil) != (err2 == nil) {
		t.Fatalf("%v: error %v, want %v", r.Object, err, err2)
	}
	if err == nil && (got.Class != want.Class || !reflect.DeepEqual(got.Findings, want.Findings)) {
		t.Errorf("%v, old %v, controller %v:\n%v %s\n, want\n%v %s", r.Object, r.Old, r.Controller, got.Class, fmt.Sprint(got.Findings), want.Class, fmt.Sprint(want.Findings))
	}
}

// Rules that are asked by themselves, and whose answers are remembered, say together what the
// entrypoint says, whatever was judged before.
func TestMemory(t *testing.T) {
	l, err := lawfulEngine()
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
	var last *release.Release
	for range 3 { // what differs in one field only
		object, old, how := bytes(4), bytes(3), byte(random.IntN(256))
		for i, choice := range choices {
			for j := range choice.values {
				if r, err := releaseOf(how, append(object, byte(i), byte(j)), old); err == nil {
					sameVerdict(t, l, r)
					last = r
				}
			}
		}
	}
	q, err := l.inquire(last)
	if err != nil {
		t.Fatal(err)
	}
	defer q.end()
	if _, together := l.together.Recall(q.key()); !together || len(q.recall()) > 0 {
		t.Error("not all is remembered")
	}
}

func FuzzMemory(f *testing.F) {
	l, err := lawfulEngine()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(byte(1), []byte{13, 0, 16, 2}, []byte{31, 0, 32, 0})
	f.Fuzz(func(t *testing.T, how byte, object, old []byte) {
		for n := 0; n <= len(object); n += 2 { // each has one choice more than the last
			if r, err := releaseOf(how, object[:n], old); err == nil {
				sameVerdict(t, l, r)
			}
		}
	})
}

func TestStateful(t *testing.T) {
	l, err := lawfulEngine()
	if err != nil {
		t.Fatal(err)
	}
	engine, err := l.Under(&Config{Spec: ConfigSpec{Law: LawConfig{LawSetting: LawSetting{StatefulCharts: []string{"shop", ""}}}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		spec map[string]any
		want any
	}{
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "shop"}}}, "shop"},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "./charts/shop/"}}}, "shop"},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "shop/web"}}}, nil},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{"chart": "redis"}}}, nil},
		{map[string]any{"chart": map[string]any{"spec": map[string]any{}}, "chartRef": map[string]any{"name": "shop"}}, "shop"},
	} {
		r := &release.Release{Object: map[string]any{"spec": c.spec}, Tier: release.Production}
		if got, err := engine.inputOf(r); err != nil || got["stateful"] != c.want {
			t.Errorf("%v: %v, %v", c.spec, got["stateful"], err)
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

// BenchmarkEvaluate judges a release like one that was judged before, and as if none was.
func BenchmarkEvaluate(b *testing.B) {
	engine, err := New(context.Background(), os.DirFS("../../policies"))
	if err != nil {
		b.Fatal(err)
	}
	r, err := releaseOf(1, []byte{13, 0, 16, 2, 19, 1, 20, 2}, nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, forget := range map[string]bool{"again": false, "first": true} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if forget {
					*engine.together = rego.Memory[told]{}
					engine.memory = rego.Memory[answer]{}
				}
				if _, err := engine.Evaluate(b.Context(), r, time.Unix(0, 0)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
