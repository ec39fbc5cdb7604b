package library

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
)

func (t *tree) release(substituted bool) string {
	t.releases++
	return t.releaseNamed(fmt.Sprintf("r%d", t.releases), substituted)
}

func (t *tree) releaseNamed(name string, substituted bool) string {
	var b strings.Builder
	at := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	length := func() string {
		if substituted {
			return duration(t.random)
		}
		return pick(t.random, "1h", "10m", "90s", "1h30m")
	}
	at("apiVersion: helm.toolkit.fluxcd.io/%s", pick(t.random, "v2", "v2", "v2", "v2beta2"))
	at("kind: HelmRelease")
	at("metadata:\n  name: %s\n  namespace: %s", name, pick(t.random, "ns0", "ns0", "ns1"))
	if t.in(4) {
		at("  labels: {app: %s, tier: %s}", name, pick(t.random, "web", "db"))
	}
	if t.in(12) {
		at("  annotations: {%s}", t.annotation())
	}
	at("spec:\n  interval: %s\n  timeout: %s", length(), length())
	if t.in(2) {
		at("  chartRef: {kind: OCIRepository, name: %s}", name)
	} else {
		at("  chart:\n    spec:\n      chart: %s\n      version: %s\n      sourceRef: {kind: HelmRepository, name: charts}", name, pick(t.random, `"1.2.3"`, `">=1"`, "1.x"))
	}
	for _, half := range []string{"install", "upgrade"} {
		if !t.in(3) {
			at("  %s: %s", half, pick(t.random, "{strategy: {name: RetryOnFailure}}", "{remediation: {retries: 3}}", "{strategy: {name: RemediateOnFailure}, remediation: {retries: -1}}", "{timeout: 3m}", "\n    # said once\n    disableWait: true"))
		}
	}
	if t.in(4) {
		at("  valuesFrom:\n  - {kind: ConfigMap, name: one}\n  - kind: Secret\n    name: two\n    optional: %s", pick(t.random, "true", "false"))
	}
	if t.in(5) {
		at("  dependsOn: [{name: other}, {name: more, namespace: ns1}]")
	}
	at("  values:")
	if t.in(4) {
		at("    image: x:1 # {\"$imagepolicy\": \"flux-system:x\"}")
	}
	for i := range 1 + t.IntN(4) {
		switch {
		case substituted && t.in(2):
			at("    key%d: %s", i, use(t.random))
		case t.in(5):
			at("    key%d:\n    - %s\n    - inner: %s", i, pick(t.random, "1", "a"), pick(t.random, "x", "0x1", "'y'"))
		default:
			at("    key%d: %s", i, value(t.random))
		}
	}
	return b.String()
}

// annotation is one that Flux or kustomize looks at.
func (t *tree) annotation() string {
	if t.in(2) && t.presence {
		return pick(t.random, "kustomize.toolkit.fluxcd.io/reconcile: disabled", "kustomize.toolkit.fluxcd.io/ssa: Ignore", "kustomize.toolkit.fluxcd.io/ssa: IfNotPresent", "kustomize.toolkit.fluxcd.io/ssa: Merge", "kustomize.toolkit.fluxcd.io/prune: disabled")
	}
	return pick(t.random, "kustomize.toolkit.fluxcd.io/substitute: disabled", "note: 'x'", "config.kubernetes.io/local-config: 'true'", "kustomize.config.k8s.io/behavior: merge")
}

// scalars are values as they are written, of which readers of YAML think differently.
var scalars = []string{
	"0x10", "0o17", "017", "1e3", "1.0", "1.50", "-0", "+1", "1_000", `"0x10"`, "yes", "No", "on", `"yes"`, "~", "null", "Null", "''", `""`,
	"'it''s'", `"a\tb\u00fc\n"`, "2001-01-01", "12:30:45", "!!str 5", "!!int \"7\"", "x#y", "'x # y'", "ü", "😀",
	"{}", "[]", "{a: 1}", "[1, two, 3.0]", "'{a}'", "9007199254740993", "0.1e-7", "true", "'true'", "$x", "100%", "'@x'", "'*'",
	"\"a\\\n      b\"", "plain words\n      on two lines", "|\n      a\n      b\n", "|-\n      a\n\n      b", "|+\n      a\n\n", "|2-\n        a\n      b",
	">\n      a\n      b\n", ">-\n      a\n\n      b\n        c\n      d", ">+\n      a\n\n\n", ">2-\n        a\n      b", "|+\n\n      a\n\n      b\n", ">\n\n      a # b\n",
	"&anchor x", "a ", "'a '", "'- a'", "a,b", "\"\\\\\"", "'\\'", "=", "!!binary aGVsbG8=", "'${LITERAL:=x}'",
}

// rare are values of which some builds fail.
var rare = []string{".inf", "-.Inf", "a: b", "1e400", "<<", "*a", "@x", ".nan"}

// value is a value as it is written.
func value(r random) string {
	if r.in(150) {
		return pick(r, rare...)
	}
	return pick(r, scalars...)
}

func variable(r random) string {
	if r.in(10) {
		return pick(r, odd...)
	}
	return pick(r, "5", "true", "1h", "a", "x-y", "two words", "a/b", "ünï", "0x1F", "1e5", "null", "$", "two\nlines", "no", "1_0", "a,b")
}

// odd are values of variables that mean something in YAML, in a shell, or to envsubst.
var odd = []string{
	"5", "true", "1h", "a", "a: b", "x # y", "'q'", `"`, "'", "{a}", "*a", "&a", "two\nlines", "", " sp ", "ünï", "$", "${V1}", "$${V1}", "0x1F", "null", "- x",
	"\nlines", "lines\n", "more\n\n  lines\n\n", "%", "@x", "1e5", "[1, 2]", "12:30:45", "\\n", "a/b", "|", ">", "!x", "~", "no", "1_0", "a,b", "`", "?", ": ", "#",
}

const variables = 4

// use is a text in which a variable is used.
func use(r random) string {
	name := fmt.Sprintf("V%d", r.IntN(variables))
	form := pick(r,
		"${%s}", "${%s}", `"${%s}"`, "'${%s}'", "pre-${%s}", "${%s:-d}", "${%s:=d}", "${%s/a/b}", "${%s^^}", "${%s,,}", "${#%s}",
		"${%s:0:2}", "$${%s}", "$%s", "${%s//a/b}", "${%s#a}", "${%s%%a}", "${%s^}", "${%s-d}", "${UNDEFINED%s:=d}",
	)
	text := fmt.Sprintf(form, name)
	if r.in(6) && !strings.ContainsAny(text[:1], `"'`) {
		return block(r) + "\n      a " + text + "\n\n      " + text + "\n"
	}
	return text
}

// block is the beginning of a literal or a folded scalar.
func block(r random) string { return pick(r, "|", ">") + pick(r, "", "-", "+") }

var blocks = regexp.MustCompile(`(?m): [|>][-+]?$`)

// restyled is YAML whose literals are written in another style: with another end, and now and then folded.
func restyled(r random, text string) string {
	return blocks.ReplaceAllStringFunc(text, func(written string) string {
		if r.in(8) {
			return ": " + block(r)
		}
		return ": |" + pick(r, "", "-", "+")
	})
}

// duration is a text for a field that takes a duration.
func duration(r random) string {
	return pick(r, "1h", "10m", "30m0s", "${INTERVAL}", "${INTERVAL:=20m}", "${UNSET_INTERVAL:=15m}", `"5m"`)
}

// random makes choices.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 17))} }

// in reports true once in n times.
func (r random) in(n int) bool { return r.IntN(n) == 0 }

func pick[T any](r random, from ...T) T { return from[r.IntN(len(from))] }
