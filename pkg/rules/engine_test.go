package rules_test

import (
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// These tests have a policy of their own, so that they depend on no rule of the
// project.
const (
	mainRego = `package remedy.main
# METADATA
# entrypoint: true
verdict := {"class": class, "report": report}
class := "violating"
report contains object.union(f, {"rule": n, "category": c}) if {
	some c, n
	some f in data.remedy.rules[c][n].report
}`
	entry = "package remedy.main\n# METADATA\n# entrypoint: true"
	meta  = `# METADATA
# title: T
# description: D
# custom:
#   severity: {production: error, staging: warning, development: "off"}
#   params:
#     max: {type: integer, default: 1, description: Most.}
#     wait: {type: duration, default: 90s, description: Wait.}
#     names: {type: strings, default: [a], description: Names.}
`
	ruleRego = meta + `package remedy.rules.recovery["no-recovery"]
report contains {"path": ["spec"], "message": sprintf("max %d wait %d names %v", [p.max, p.wait, p.names])} if {
	input.effective.upgrade.retries == 0
}
p := input.params["no-recovery"]`
	schema = `{"type": "object", "properties": {"object": {}, "old": {}, "flipped": {}, "controller": {},
"effective": {"type": "object", "additionalProperties": false, "properties":
{"upgrade": {"type": "object", "additionalProperties": false, "properties": {"retries": {"type": "number"}}}}}}}`
)

func policy(files map[string]string) fs.FS {
	out := fstest.MapFS{
		"main.rego":         {Data: []byte(mainRego)},
		"input.schema.json": {Data: []byte(schema)},
		"rule.rego":         {Data: []byte(ruleRego)},
	}
	for name, text := range files {
		out[name] = &fstest.MapFile{Data: []byte(text)}
		if text == "" {
			delete(out, name)
		}
	}
	return out
}

func TestNewRefuses(t *testing.T) {
	rule := func(body string) string {
		return meta + "package remedy.rules.recovery.other\nreport contains {\"path\": [], \"message\": m} if { " + body + " }"
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"misspelt setting":   {map[string]string{"x.rego": rule("input.effective.upgrade.retry == 0; m := \"\"")}, "undefined ref: input.effective.upgrade.retry"},
		"misspelt parameter": {map[string]string{"x.rego": rule("m := input.params.other.maximum")}, "undefined ref: input.params.other.maximum"},
		"unused variable":    {map[string]string{"x.rego": rule("y := 1; m := \"\"")}, "y"},
		"network":            {map[string]string{"x.rego": rule(`m := http.send({"method": "get", "url": "http://127.0.0.1"})`)}, "undefined function http.send"},
		"clock":              {map[string]string{"x.rego": rule("m := time.now_ns()")}, "undefined function time.now_ns"},
		"environment":        {map[string]string{"x.rego": rule("m := opa.runtime()")}, "undefined function opa.runtime"},
		"chance":             {map[string]string{"x.rego": rule(`m := rand.intn("a", 5)`)}, "undefined function rand.intn"},
		"no metadata":        {map[string]string{"x.rego": "package remedy.rules.recovery.other\nreport := set()"}, "rule other: METADATA: there is none"},
		"no severity":        {map[string]string{"x.rego": "# METADATA\n# title: T\n# description: D\npackage remedy.rules.recovery.other\nreport := set()"}, "custom.severity.production"},
		"bad default":        {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "default: 90s", "default: soon", 1)}, "custom.params.wait.default"},
		"same name twice":    {map[string]string{"x.rego": strings.Replace(ruleRego, "rules.recovery[", "rules.timing[", 1)}, "two rules are named no-recovery"},
		"no entrypoint":      {map[string]string{"main.rego": "package remedy.main\nverdict := 1"}, "have 0 entrypoints, want one"},
		"two entrypoints":    {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "report contains", "# METADATA\n# entrypoint: true\nreport contains", 1)}, "have 2 entrypoints, want one"},
		"moved to nothing":   {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "#   params:", "#   moved: {a: maxRetrys}\n#   params:", 1)}, "spec.law has no maxRetrys"},
		"alias of a rule":    {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "#   params:", "#   aliases: [no-recovery]\n#   params:", 1)}, "custom.aliases: no-recovery is a rule"},
		"relation to none":   {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "#   params:", "#   hides: [no-recovry]\n#   params:", 1)}, `rule other: METADATA: custom.hides: there is no rule "no-recovry"`},
		"relations in a circle": {map[string]string{
			"x.rego":    strings.Replace(rule("m := 1"), "#   params:", "#   leaves: [other, no-recovery]\n#   params:", 1),
			"rule.rego": strings.Replace(ruleRego, "#   params:", "#   nearer: [other]\n#   params:", 1),
		}, "a circle: no-recovery, other, no-recovery"},
		"refuses outside of api": {map[string]string{"x.rego": strings.Replace(rule("m := 1"), "#   params:", "#   refuses: true\n#   params:", 1)}, "only a rule of the category api"},
		"no rule":                {map[string]string{"rule.rego": ""}, "hold no rule"},
		"not Rego":               {map[string]string{"x.rego": "package"}, "x.rego"},
		"no schema":              {map[string]string{"input.schema.json": ""}, "input.schema.json"},
		"no properties":          {map[string]string{"input.schema.json": "{}"}, "has no properties"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rules.New(t.Context(), policy(tc.files))
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q in it", err, tc.want)
			}
		})
	}
}

// A mistake of a policy is an error and never a pass.
func TestEvaluateFails(t *testing.T) {
	for name, tc := range map[string]struct{ main, rule, want string }{
		"undefined class":   {entry + "\nverdict := 1\nclass := \"x\" if input.object.kind == \"x\"", "", "returned no class"},
		"malformed class":   {entry + "\nverdict := 1\nclass := 1", "", "malformed class"},
		"malformed finding": {"", "m := 1", "malformed finding"},
		"builtin error":     {"", `m := to_number("x")`, "to_number"},
		"negative index":    {"", `m := "x"; true`, "want an index"},
		"raise undeclared":  {"", "m := \"x\"; false }\nreport contains {\"path\": [], \"message\": \"\", \"raise\": 1} if { true", "raises a finding by 1"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			if tc.main != "" {
				files["main.rego"] = tc.main
			}
			if tc.rule != "" {
				files["x.rego"] = meta + "package remedy.rules.recovery.other\nreport contains {\"path\": [-1], \"message\": m} if { " + tc.rule + " }"
			}
			engine, err := rules.New(t.Context(), policy(files))
			if err != nil {
				t.Fatal(err)
			}
			_, err = engine.Evaluate(t.Context(), decode(t, "v2", "", release.Controller{}), time.Now())
			if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), "judge apps/app") {
				t.Errorf("error %v, want %q and the release in it", err, tc.want)
			}
		})
	}
}

func TestSeverityAndParams(t *testing.T) {
	for name, tc := range map[string]struct {
		config  string
		tier    release.Tier
		want    rules.Severity
		message string
	}{
		"default":        {"", release.Production, rules.Error, "max 1 wait 90 names [\"a\"]"},
		"other tier":     {"", release.Staging, rules.Warning, "max 1"},
		"off":            {"", release.Development, "", ""},
		"for all tiers":  {"{severity: info, params: {max: 2}}", release.Development, rules.Info, "max 2"},
		"for a tier":     {"{severity: info, tiers: {production: {severity: warning, params: {wait: 2h}}}}", release.Production, rules.Warning, "wait 7200"},
		"not for others": {"{severity: info, tiers: {production: {severity: warning}}}", release.Staging, rules.Info, "max 1"},
		"tier beats":     {"{params: {max: 2, names: [b]}, tiers: {production: {params: {max: 3}}}}", release.Production, rules.Error, "max 3 wait 90 names [\"b\"]"},
		"switched off":   {"{tiers: {production: {severity: off}}}", release.Production, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			config := &rules.Config{}
			if tc.config != "" {
				config = parse(t, "spec: {rules: {no-recovery: "+tc.config+"}}")
			}
			release := decode(t, "v2", "", release.Controller{})
			release.Tier = tc.tier
			findings := evaluate(t, release, config, "2030-01-01").Findings
			if tc.want == "" {
				if len(findings) != 0 {
					t.Errorf("findings %+v, want none", findings)
				}
				return
			}
			if len(findings) != 1 || findings[0].Severity != tc.want || !strings.Contains(findings[0].Message, tc.message) {
				t.Errorf("findings %+v, want %s with %q", findings, tc.want, tc.message)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	engine := newEngine(t)
	for spec, want := range map[string]string{
		"{rules: {other: {severity: info}}}":                                                    `there is no rule "other"`,
		"{rules: {no-recovery: {params: {min: 1}}}}":                                            `has no parameter "min"`,
		"{rules: {no-recovery: {params: {max: many}}}}":                                         "spec.rules.no-recovery.params.max: many is no whole number",
		"{rules: {no-recovery: {params: {max: 1.5}}}}":                                          "is no whole number",
		"{rules: {no-recovery: {params: {wait: 5}}}}":                                           "is no duration",
		"{rules: {no-recovery: {params: {names: a}}}}":                                          "is no list of strings",
		"{rules: {no-recovery: {params: {names: [1]}}}}":                                        "is no list of strings",
		"{rules: {no-recovery: {tiers: {staging: {params: {min: 1}}}}}}":                        "spec.rules.no-recovery.tiers.staging.params",
		"{waivers: {entries: [{rule: other, until: 2030-01-01, reason: why}]}}":                 `spec.waivers.entries[0]: there is no rule "other"`,
		"{rules: {no-recovery: {params: {max: 3, wait: 1m, names: []}}}, defaultTier: staging}": "",
	} {
		_, err := engine.Under(parse(t, "spec: "+spec))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}

// Former names of rules and parameters still work, and are noted.
func TestRenamed(t *testing.T) {
	files := map[string]string{
		"rule.rego": strings.Replace(ruleRego, "#   params:", "#   aliases: [old]\n#   moved: {most: maxRetries}\n#   params:", 1) + "\n",
	}
	files["rule.rego"] = strings.Replace(files["rule.rego"], `"max %d`, `"law %d max %d`, 1)
	files["rule.rego"] = strings.Replace(files["rule.rego"], "[p.max", "[input.law.maxRetries, p.max", 1)
	files["input.schema.json"] = strings.Replace(schema, `"object": {}`, `"object": {}, "law": {}`, 1)
	engine, err := rules.New(t.Context(), policy(files))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		spec, message string
		severity      rules.Severity
		notes         []string
	}{
		"nothing": {"{}", "law 10 max 1 ", rules.Error, nil},
		"alias":   {"{rules: {old: {severity: info, params: {max: 2}}}}", "law 10 max 2 ", rules.Info, []string{"spec.rules.old: the rule old is no-recovery now"}},
		"both": {
			"{rules: {old: {severity: info, params: {max: 2}}, no-recovery: {severity: warning}}}", "law 10 max 2 ", rules.Warning,
			[]string{"spec.rules.old: the rule old is no-recovery now"},
		},
		"moved": {
			"{rules: {no-recovery: {params: {most: 4}, tiers: {production: {params: {most: 5}}}}}}", "law 5 max 1 ", rules.Error,
			[]string{
				"spec.rules.no-recovery.params.most is spec.law.maxRetries now",
				"spec.rules.no-recovery.tiers.production.params.most is spec.law.tiers.production.maxRetries now",
			},
		},
		"law":        {"{law: {maxRetries: 3}}", "law 3 max 1 ", rules.Error, nil},
		"law, moved": {"{law: {maxRetries: 3}, rules: {no-recovery: {params: {most: 4}}}}", "law 3 max 1 ", rules.Error, []string{"spec.rules.no-recovery.params.most is spec.law.maxRetries now"}},
		"law in a tier": {
			"{law: {maxRetries: 3, tiers: {production: {maxRetries: 6}, staging: {maxRetries: 7}}}}", "law 6 max 1 ", rules.Error, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			under, err := engine.Under(parse(t, "spec: "+tc.spec))
			if err != nil {
				t.Fatal(err)
			}
			verdict, err := under.Evaluate(t.Context(), decode(t, "v2", "", release.Controller{}), time.Now())
			if err != nil || len(verdict.Findings) != 1 {
				t.Fatalf("verdict %+v, error %v", verdict, err)
			}
			if f := verdict.Findings[0]; f.Rule != "no-recovery" || f.Severity != tc.severity || !strings.HasPrefix(f.Message, tc.message) {
				t.Errorf("finding %+v, want %s %q", f, tc.severity, tc.message)
			}
			if !slices.Equal(under.Notes(), tc.notes) {
				t.Errorf("notes %q, want %q", under.Notes(), tc.notes)
			}
		})
	}
	for spec, want := range map[string]string{
		"{rules: {no-recovery: {params: {most: x}}}}": "spec.rules.no-recovery.params.most: x is no value of spec.law.maxRetries",
		"{rules: {old: {params: {maxx: 1}}}}":         `rule old has no parameter "maxx"`,
	} {
		if _, err := engine.Under(parse(t, "spec: "+spec)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", spec, err, want)
		}
	}
}

func TestUnknownIsNotJudged(t *testing.T) {
	r := decode(t, "v2", "", release.Controller{})
	r.Unknown = []release.Unknown{{Path: release.Path{"metadata", "name"}, Reason: "depends on a variable"}}
	verdict := evaluate(t, r, &rules.Config{}, "2030-01-01")
	if verdict.Class != rules.ClassUnknown || len(verdict.Findings) != 0 {
		t.Errorf("verdict %+v, want class unknown and no finding", verdict)
	}
}

// Later sources add rules, and several goroutines may use the engine at once.
func TestAddedRules(t *testing.T) {
	added := fstest.MapFS{"x/own.rego": {Data: []byte(meta + `#   raise: -1
package remedy.rules.visibility.own
report contains {"path": ["spec", "valuesFrom", 0], "message": "m", "raise": -1, "fix": {"safe": true, "set": [{"path": ["spec"], "value": 1}]}}`)}}
	engine, err := rules.New(t.Context(), policy(nil), added)
	if err != nil {
		t.Fatal(err)
	}
	rule, _ := engine.Rule("own")
	for tier, want := range map[release.Tier]string{release.Production: "error or warning", release.Staging: "warning or info", release.Development: "off"} {
		if got := rule.Severities(tier); got != want {
			t.Errorf("findings in %s are %q, want %q", tier, got, want)
		}
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			verdict, err := engine.Evaluate(t.Context(), decode(t, "v2", "", release.Controller{}), time.Now())
			if err != nil || len(verdict.Findings) != 2 {
				t.Errorf("verdict %+v, error %v", verdict, err)
				return
			}
			own := verdict.Findings[1]
			if own.Rule != "own" || own.Severity != rules.Warning || own.Path.String() != "spec.valuesFrom[0]" ||
				own.Fix == nil || own.Fix.Safe || own.Fix.Set[0].Path.String() != "spec" {
				t.Errorf("finding %+v", own)
			}
		})
	}
	group.Wait()
}

// A severity that is set is the least of all findings of the rule, and counts for the digest although it is the default; to no
// longer set it is milder.
func TestSeverityIsTheLeast(t *testing.T) {
	steps := func(raise string) fstest.MapFS {
		return fstest.MapFS{"x/own.rego": {Data: []byte(meta + "#   raise: " + raise + `
package remedy.rules.visibility.own
report contains {"path": ["spec", "interval"], "message": "m", "raise": ` + raise + `}`)}}
	}
	for name, c := range map[string]struct {
		raise, spec string
		want        rules.Severity
		says        string
		milder      bool // without it
	}{
		"default":       {"-1", "{}", rules.Warning, "error or warning", false},
		"parameters":    {"-1", "{rules: {own: {params: {max: 1}}}}", rules.Warning, "error or warning", false},
		"the same":      {"-1", "{rules: {own: {tiers: {production: {severity: error}}}}}", rules.Error, "error", true},
		"in all tiers":  {"-1", "{rules: {own: {severity: error}}}", rules.Error, "error", true},
		"in another":    {"-1", "{rules: {own: {tiers: {staging: {severity: info}}}}}", rules.Warning, "error or warning", false},
		"lower":         {"-1", "{rules: {own: {tiers: {production: {severity: warning}}}}}", rules.Warning, "warning", false},
		"lowest":        {"-1", "{rules: {own: {tiers: {production: {severity: info}}}}}", rules.Info, "info", false},
		"worse default": {"1", "{rules: {own: {tiers: {production: {severity: info}}}}}", rules.Warning, "info or warning", false},
	} {
		engine, err := rules.New(t.Context(), policy(nil), steps(c.raise))
		if err != nil {
			t.Fatal(err)
		}
		config, err := rules.ParseConfig([]byte(configHeader + "spec: " + c.spec))
		if err != nil {
			t.Fatal(err)
		}
		under, err := engine.Under(config)
		if err != nil {
			t.Fatal(err)
		}
		verdict, err := under.Evaluate(t.Context(), decode(t, "v2", "", release.Controller{}), time.Now())
		rule, _ := under.Rule("own")
		at := slices.IndexFunc(verdict.Findings, func(f rules.Finding) bool { return f.Rule == "own" })
		if err != nil || at < 0 || verdict.Findings[at].Severity != c.want || under.Severities(rule, release.Production) != c.says {
			t.Errorf("%s: verdict %+v, error %v, severities %s; want %s of %s", name, verdict, err, under.Severities(rule, release.Production), c.want, c.says)
		}
		if same := under.Digest() == engine.Digest(); same != (c.says == rule.Severities(release.Production)) && name != "in another" {
			t.Errorf("%s: the digest is the same: %v", name, same)
		}
		if got := slices.Contains(engine.Milder(under), "own"); got != c.milder {
			t.Errorf("%s: without it milder: %v", name, got)
		}
	}
}

// A module that would load but never report is refused.
func TestAddedRulesRefused(t *testing.T) {
	for name, tc := range map[string]struct{ file, text, want string }{
		"misspelt package": {"x/own.rego", meta + "package rule.visibility.own\nreport := set()", "a rule's package is remedy.rules.<category>"},
		"no category":      {"x/own.rego", meta + "package remedy.rules.own\nreport := set()", "a rule's package is remedy.rules.<category>"},
		"old package":      {"x/own.rego", meta + "package rules.visibility[\"own\"]\nreport := set()", "rename it to remedy.rules.visibility.own, and data.lib in its imports to data.remedy.lib"},
		"misspelt set":     {"x/own.rego", meta + "package remedy.rules.visibility.own\nreports := set()", "no set named report"},
		"name of another":  {"x/own.rego", ruleRego, "another rule has this name"},
		"empty":            {"x/own_test.rego", "package remedy.rules.visibility.own_test", "holds no .rego file"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rules.New(t.Context(), policy(nil), fstest.MapFS{tc.file: {Data: []byte(tc.text)}})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %q in it", err, tc.want)
			}
		})
	}
}

func newEngine(t *testing.T) *rules.Engine {
	t.Helper()
	engine, err := rules.New(t.Context(), policy(nil))
	if err != nil {
		t.Fatal(err)
	}
	return engine
}

func evaluate(t *testing.T, release *release.Release, config *rules.Config, today string) rules.Verdict {
	t.Helper()
	engine, err := newEngine(t).Under(config)
	if err != nil {
		t.Fatal(err)
	}
	verdict, err := engine.Evaluate(t.Context(), release, day(t, today))
	if err != nil {
		t.Fatal(err)
	}
	return verdict
}
