package build

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
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
		objects, err := render(context.Background(), text, input)
		got := fmt.Sprint(objects)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s\ngives %s (%v), want %s", text, strings.TrimSpace(got), err, want)
		}
	}
}

// The time is that of all templates together, and one that writes on is ended.
func TestRenderTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	endless := "<< range 1000000000000 >><< \"\" >><< end >>"
	objects, errs := renderAll(ctx, []string{"kind: x", endless, endless}, []any{1, 2})
	if len(objects) != 2 || len(errs) != 1 || !strings.Contains(errs[0].Error(), "too long") {
		t.Errorf("objects %v, errors %v; want that of the first for both inputs, and one error", objects, errs)
	}
	if _, err := (&bounded{ctx: ctx}).Write(nil); err == nil {
		t.Error("written to after the time was over")
	}
}

func TestRenderList(t *testing.T) {
	text := "kind: List\nitems: [{kind: a}, {kind: bList, items: [{kind: b}]}]"
	objects, errs := renderAll(context.Background(), []string{text}, []any{nil})
	if got := fmt.Sprint(objects); got != "[map[kind:a] map[kind:b]]" || len(errs) > 0 {
		t.Errorf("objects %s, errors %v", got, errs)
	}
}
