package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// namings are texts for names, the last of which are none.
var namings = []string{"b", "other", "redis", "app", "apps-1", strings.Repeat("n", 53), strings.Repeat("n", 54), "", "a\"b", "é", "<1.0.0"}

// naming says which names a review has.
type naming struct {
	there   [2]rules.NameSet // in the object, and in the old one
	changed rules.NameSet    // by the update
}

func randomNaming(random *rand.Rand) naming {
	of := func() rules.NameSet {
		one, other := rules.NameSet(random.Uint32()), rules.NameSet(random.Uint32())
		return one & other & rules.AllNames
	}
	out := naming{changed: of()}
	out.there[0] = of() | rules.ReleaseName
	few, other := of(), of()
	out.there[1] = out.there[0] ^ few&other
	return out
}

// review returns a review of a creation, or of an update, with random texts for its names.
func (n naming) review(t testing.TB, object, old map[string]any, number int, random *rand.Rand) []byte {
	t.Helper()
	text := func() string {
		if random.IntN(12) == 0 {
			return namings[random.IntN(len(namings))]
		}
		return namings[random.IntN(3)]
	}
	now := make([]string, len(rules.Names))
	for i := range now {
		now[i] = text()
	}
	of := func(settings map[string]any, there rules.NameSet) *unstructured.Unstructured {
		if settings == nil {
			return nil
		}
		out := whole("app", settings)
		if there&rules.ChartNames == 1<<4 {
			write(out.Object, release.Path{"spec", "chartRef"}, nil)
			write(out.Object, release.Path{"spec", "chart", "spec", "sourceRef", "kind"}, "HelmRepository")
		}
		for i, path := range rules.Names {
			if there.Has(i) {
				write(out.Object, path, now[i])
			}
		}
		write(out.Object, valuesPath, map[string]any{"a": random.IntN(2)})
		return out
	}
	first := of(object, n.there[0])
	for i := range now {
		if n.changed.Has(i) {
			now[i] = text()
		}
	}
	review := request(first, of(old, n.there[1]))
	review.Request.Name, review.Request.Namespace = text(), text()
	return stamped(t, review, number)
}

// TestAnswersOfNames holds that what is remembered of releases of other names is what would be
// answered without it, under configurations that look at names too.
func TestAnswersOfNames(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 10))
	for name, config := range map[string]string{
		"plain":     `{}`,
		"waived":    `{waivers: {entries: [{rule: no-recovery, name: b*, until: "2999-01-01", reason: r}]}}`,
		"exempt":    `{admission: {exempt: [{namespaces: [other], reason: r}]}}`,
		"overrides": `{controller: {overrides: [{namespaces: [b], version: 1.3.0}]}}`,
		"tiers":     `{tiers: [{tier: development, namespaces: [b]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			h := configuredHandler(t, config)
			if name == "tiers" {
				h.evidence, h.names = (&webhook{options: &options{}}).configured, rules.ReleaseNamespace
			}
			other, recalled := forgetful(h), 0
			for number := range 20 {
				object, old := randomObject(random), randomObject(random)
				switch {
				case number%6 == 0:
					object, old = map[string]any{}, nil
				case number%3 == 0:
					old = nil
				case number%3 == 1:
					write(old, release.Path{"status"}, map[string]any{"history": []any{map[string]any{"status": "deployed"}}})
				case number%4 == 0:
					old = maps.Clone(object)
				}
				names := randomNaming(random)
				for range 6 {
					body := names.review(t, object, old, number, random)
					before := remembered(h)
					code, got := post(h, body)
					if wantCode, want := post(other, body); code != wantCode || !bytes.Equal(got, want) {
						t.Fatalf("%s\nanswered %d %s\nwant %d %s", body, code, got, wantCode, want)
					}
					if remembered(h) == before {
						recalled++
					}
				}
			}
			if recalled == 0 && name != "waived" { // there few are alike
				t.Error("nothing was remembered")
			}
		})
	}
}

// configuredHandler returns a handler under the spec of a configuration.
func configuredHandler(t testing.TB, spec string) *handler {
	t.Helper()
	file := filepath.Join(t.TempDir(), "config.yaml")
	text := fmt.Sprintf("apiVersion: %s\nkind: %s\nspec: %s\n", rules.ConfigAPIVersion, rules.ConfigKind, spec)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := sources{config: file}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	h := newHandler(t)
	h.ruleset = func() *ruleset { return p }
	return h
}

// TestAnswersAlike holds that a release of known settings is answered for what is known.
func TestAnswersAlike(t *testing.T) {
	h := newHandler(t)
	for name, text := range reviews() {
		text = bytes.ReplaceAll(text, []byte(appName), []byte(appName+"00000000"))
		for number := range int64(3) {
			renumber(text, number)
			before := remembered(h)
			if code, answer := post(h, text); code != 200 || !json.Valid(answer) || name == "denied" && !bytes.Contains(answer, fmt.Appendf(nil, "/app%08d in production", number)) {
				t.Errorf("%s: %d %s", name, code, answer)
			}
			if got := remembered(h) - before; number > 0 && got != 0 {
				t.Errorf("%s: %d more are remembered of release %d", name, got, number)
			}
		}
	}
}

// TestAnswersOfMoves holds that a release that an update moves is told where it was and goes.
func TestAnswersOfMoves(t *testing.T) {
	h := newHandler(t)
	other := forgetful(h)
	for number, field := range []string{"releaseName", "targetNamespace", "releaseName", "targetNamespace"} {
		for _, names := range [][2]string{{"one", "two"}, {"red", "blue"}, {"red", "green"}} {
			of := func(name string) *unstructured.Unstructured {
				return helmRelease("app", strings.Replace(retried, "{", "{"+field+": "+name+", ", 1))
			}
			old := of(names[0])
			old.Object["status"] = map[string]any{"history": []any{map[string]any{"status": "deployed"}}}
			body := stamped(t, request(of(names[1]), old), number)
			_, got := post(h, body)
			if _, want := post(other, body); !bytes.Equal(got, want) || !bytes.Contains(got, []byte(names[1])) {
				t.Errorf("answered %s\nwant %s", got, want)
			}
		}
	}
}

// TestAnswersOfStorage holds that it counts whether a storage namespace that an update sets is
// that in which the release is anyway.
func TestAnswersOfStorage(t *testing.T) {
	for _, namespaces := range [][]string{{"flux", "apps"}, {"apps", "flux"}} {
		h := newHandler(t)
		for number, namespace := range namespaces {
			old := helmRelease("app", retried)
			old.SetNamespace(namespace)
			old.Object["status"] = map[string]any{"history": []any{map[string]any{"status": "deployed"}}}
			moved := old.DeepCopy()
			write(moved.Object, release.Path{"spec", "storageNamespace"}, "flux")
			_, got := post(h, stamped(t, request(moved, old), number))
			if denied := bytes.Contains(got, []byte(`"allowed":false`)); denied != (namespace != "flux") {
				t.Errorf("of %v, in %s: %s", namespaces, namespace, got)
			}
		}
	}
}
