package charts

import (
	"fmt"
	"strings"
	"testing"
)

// What Secrets supply is something else of the same shape in the other job, and the rest is the same.
func TestOtherwise(t *testing.T) {
	holds := func(text string) bool { return strings.Contains(text, "hunter2") }
	for name, tc := range map[string]struct {
		job  Job
		want string
	}{
		"nothing":               {Job{From: []Values{{Text: "a: b"}}, Values: map[string]any{"a": "b", "n": int64(2)}}, `[{{"a":"b"}  false false}] map[a:b n:2] false`},
		"of a Secret":           {Job{From: []Values{{Text: "a: {b: [az-Z9, true, 2]}", Secret: true}}}, `[{{"a":{"b":["lk-K2",true,7]}}  false true}] map[] true`},
		"at a path":             {Job{From: []Values{{Text: "{ab,c=1}", Path: "x", Secret: true}}}, `[{{lm,n=4} x false true}] map[] true`},
		"of other letters":      {Job{From: []Values{{Text: "ж", Path: "x", Secret: true}}}, `[{з x false true}] map[] true`},
		"by a variable":         {Job{Values: map[string]any{"a": []any{"x-hunter2", "b"}}}, `[] map[a:[i-sfyepc5 b]] true`},
		"in a ConfigMap":        {Job{From: []Values{{Text: "a: hunter2\nb: c"}}}, `[{{"a":"sfyepc5","b":"c"}  false false}] map[] true`},
		"what is no mapping":    {Job{From: []Values{{Text: "- hunter2", Secret: true}}}, `[{- sfyepc5  false true}] map[] true`},
		"but not what is after": {Job{From: []Values{{Text: "a: b", Secret: true}, {Text: "a: b"}}}, `[{{"a":"m"}  false true} {{"a":"b"}  false false}] map[] true`},
	} {
		before := fmt.Sprint(tc.job)
		other, is := tc.job.otherwise(holds)
		if got := fmt.Sprint(other.From, other.Values, is); got != tc.want || fmt.Sprint(tc.job) != before {
			t.Errorf("%s: %s, want %s; %v", name, got, tc.want, tc.job)
		}
	}
}

func TestHide(t *testing.T) {
	public := WordsOf("a b", "c")
	for text, want := range map[string]string{"": "", "a c": "a c", "a x y b": "a - b", "ab": "-"} {
		if got := public.Hide(text, "-"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
