package sandbox

import (
	"fmt"
	"strings"
	"testing"
)

func TestRender(t *testing.T) {
	input := map[string]any{"name": "red", "count": int64(2), "apps": []any{"a", "b"}}
	for text, want := range map[string]string{
		"kind: << inputs.name >>":                                             "[map[kind:red]]",
		"kind: << inputs.name | upper | quote >>":                             "[map[kind:RED]]",
		"count: << inputs.count | int >>":                                     "[map[count:2]]",
		"list: << inputs.apps | toYaml | nindent 2 >>":                        "[map[list:[a b]]]",
		"<< range inputs.apps >>---\nk: << . >>\n<< end >>":                   "[map[k:a] map[k:b]]",
		"value: '{{ .Values.x }}'":                                            "[map[value:{{ .Values.x }}]]",
		"<< if eq inputs.name \"blue\" >>kind: x<< end >>":                    "[]",
		"kind: List\nitems: [{kind: a}, {kind: bList, items: [{kind: b}]}]":   "[map[kind:a] map[kind:b]]",
		"kind: << inputs.missing >>":                                          "error",
		"kind: << inputs.name":                                                "error",
		"kind: << env \"HOME\" >>":                                            "error",
		"kind: << repeat 1000000000 \"x\" >>":                                 "error",
		"<< range 100000000 >>xxxxxxxxxxxxxxxx<< end >>":                      "error",
		"<< define \"x\" >><< template \"x\" >><< end >><< template \"x\" >>": "error",
		"a: {":   "error",
		"- list": "error",
	} {
		result := Render(Job{Templates: []string{text}, Inputs: []any{input}})
		got := fmt.Sprint(result.Objects)
		if len(result.Failures) > 0 {
			got = "error"
		}
		if got != want {
			t.Errorf("%s\ngives %s (%v), want %s", text, strings.TrimSpace(got), result.Failures, want)
		}
	}
}

// What all templates of a job give together is limited, and so is their number.
func TestRenderLimits(t *testing.T) {
	long := "kind: x # << range 4000000 >>x<< end >>"
	for name, job := range map[string]Job{
		"gives more than 10 MiB": {[]string{"kind: first", long, long, long, long}, []any{nil}},
		"10001 combinations":     {[]string{"kind: x"}, make([]any, maxRounds+1)},
	} {
		result := Render(job)
		if len(result.Failures) != 1 || !strings.Contains(result.Failures[0], name) {
			t.Errorf("failures %v, want one with %q", result.Failures, name)
		}
	}
}
