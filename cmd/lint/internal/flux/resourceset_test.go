package flux

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
		"kind: << inputs.missing >>":                                          "error",
		"kind: << inputs.name":                                                "error",
		"kind: << env \"HOME\" >>":                                            "error",
		"kind: << repeat 1000000000 \"x\" >>":                                 "error",
		"<< range 100000000 >>xxxxxxxxxxxxxxxx<< end >>":                      "error",
		"<< define \"x\" >><< template \"x\" >><< end >><< template \"x\" >>": "error",
		"a: {":   "error",
		"- list": "error",
	} {
		objects, err := render(text, input)
		got := fmt.Sprint(objects)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s\ngives %s (%v), want %s", text, strings.TrimSpace(got), err, want)
		}
	}
}
