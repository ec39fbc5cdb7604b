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

// namings are texts for names, some of which are no names.
var namings = []string{"app", "b", "b", "other", "redis", "1.x", "prod", "apps", strings.Repeat("n", 53), strings.Repeat("n", 54), "", "a\"b", "é", "<1.0.0"}

// renamedReview returns a review of a creation, or of an update, with random names.
func renamedReview(t testing.TB, object, old map[string]any, number int, random *rand.Rand) []byte {
	t.Helper()
	of := func(settings map[string]any) *unstructured.Unstructured {
		if settings == nil {
			return nil
		}
		out := whole("app", settings)
		for _, path := range rules.Names {
			if path[1] == "chart" && random.IntN(8) > 0 { // beside chartRef it is refused
				continue
			}
			if random.IntN(2) == 0 {
				write(out.Object, path, namings[random.IntN(len(namings))])
			}
		}
		write(out.Object, valuesPath, map[string]any{"a": random.IntN(2)})
		return out
	}
	review := request(of(object), of(old))
	review.Request.Name, review.Request.Namespace = namings[random.IntN(4)], namings[random.IntN(4)]
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
			for number := range 12 {
				object, old := randomObject(random), randomObject(random)
				switch {
				case number%3 == 0:
					old = nil
				case number%3 == 1:
					write(old, release.Path{"status"}, map[string]any{"history": []any{map[string]any{"status": "deployed"}}})
				case number%4 == 0:
					old = maps.Clone(object)
				}
				for range 6 {
					body := renamedReview(t, object, old, number, random)
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
			if recalled == 0 {
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
