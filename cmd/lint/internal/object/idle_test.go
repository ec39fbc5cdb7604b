package object

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestWithoutIdle(t *testing.T) {
	const role, rest = "kind: ClusterRole\nrules:\n- apiGroups: [helm.toolkit.fluxcd.io]\n", "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\n"
	for text, want := range map[string]string{
		"":                        "",
		rest:                      rest,
		"# a\n---\n" + role:       "# a\n",
		rest + "---\n" + role:     rest,
		"a: b\n" + role + "---\n": "---\n",
		"---\na: b\n" + role + "---\n" + rest + "---\na:\n  b: |\n    x\n" + role: "---\n" + rest,
		"a: b\n" + role + "kind: HelmRelease\n":                                   "a: b\n" + role + "kind: HelmRelease\n",
		"\"kind\": HelmRelease\na: \"\n" + role + "\"\n":                          "\"kind\": HelmRelease\na: \"\n" + role + "\"\n",
		"{kind: HelmRelease, a: \"\n" + role + "\"}":                              "{kind: HelmRelease, a: \"\n" + role + "\"}",
		" kind: HelmRelease\n" + role:                                             " kind: HelmRelease\n" + role,
		"a: b\nkind: ClusterRoleList\n":                                           "a: b\nkind: ClusterRoleList\n",
		"--- {kind: HelmRelease}\n" + role:                                        "--- {kind: HelmRelease}\n" + role,
		"<<: *a\n" + role:                                                         "<<: *a\n" + role,
	} {
		if got := string(withoutIdle([]byte(text))); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestIdleIsOfItsKind draws documents, and holds those that are idle to what a parser reads of them: one document or
// none, and its kind, which may go on in the next line.
func TestIdleIsOfItsKind(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	pieces := []string{
		"kind: ClusterRole", "kind: HelmRelease", "\"kind\": HelmRelease", "'kind': HelmRelease", "? kind\n: HelmRelease", "kind : HelmRelease", "kind:\n", "\n", "\n", "\n", "  ", " ",
		"- ", "a: ", "b: ", "c:\n", "\"", "'", "{", "}", ",", "|\n", ">\n", "# ", "&x ", "*x", "<<: *x", "!!str ", "\t", "x",
		"\r", "\u0085", "\u2028", "\u2029", "---", "\r---\rkind: HelmRelease\r", "\u2028---\u2028kind: HelmRelease", "...",
	}
	idle := 0
	for range 400_000 {
		text := ""
		for range 1 + random.IntN(9) {
			text += pieces[random.IntN(len(pieces))]
		}
		if !isIdle([]byte(text)) {
			continue
		}
		idle++
		var read any
		for documents := yaml.NewDecoder(strings.NewReader(text)); documents.Decode(&read) == nil; read = nil {
			fields, _ := read.(map[string]any)
			if kind, ok := fields["kind"]; ok && !strings.HasPrefix(fmt.Sprint(kind), "ClusterRole") {
				t.Errorf("%q is idle, and of kind %v", text, kind)
			}
		}
	}
	if idle < 1000 {
		t.Errorf("only %d documents are idle", idle)
	}
}
