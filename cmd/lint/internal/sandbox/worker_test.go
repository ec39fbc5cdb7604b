package sandbox

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
)

func TestMain(m *testing.M) {
	if Serve(os.Args, os.Stdin, os.Stdout) {
		return
	}
	os.Exit(m.Run())
}

// What would end this process ends the other one, and the next job is rendered.
func TestWorker(t *testing.T) {
	w := &Worker{Memory: func() limits.Bytes { return 128 << 20 }}
	for _, tc := range []struct{ text, want string }{
		{"kind: << inputs.name >>", ""},
		{`<< indent 3000000000 "x" >>`, "memory"},
		{"kind: << inputs.name >>", ""},
		{`<< $d := dict >><< $_ := set $d "d" $d >><< print $d >>`, "they call themselves without end"},
		{`<< $s := "xxxxxxxxxxxxxxxx" >><< range 40 >><< $s = print $s $s >><< end >>`, "memory"},
		{`<< $s := "xxxxxxxxxxxxxxxx" >><< range 16 >><< $s = replace "x" $s $s >><< end >>`, "memory"},
		{"kind: << env \"HOME\" >>", "its template cannot be read"},
		{"kind: << inputs.name >>", ""},
	} {
		result := w.Render(Job{Templates: []string{tc.text}, Inputs: []any{map[string]any{"name": "red"}}})
		got := strings.Join(result.Failures, " ")
		if tc.want == "" && (got != "" || fmt.Sprint(result.Objects) != "[map[kind:red]]") || !strings.Contains(got, tc.want) {
			t.Errorf("%s\ngives %v and %q, want %q", tc.text, result.Objects, got, tc.want)
		}
	}
}

// An endless loop is ended after its time, and when that has been used up by many, the
// rest are not tried.
func TestWorkerTime(t *testing.T) {
	w := &Worker{Memory: func() limits.Bytes { return 128 << 20 }, Time: 100 * time.Millisecond}
	endless := Job{Templates: []string{"<< range 1000000000000 >><< end >>"}, Inputs: []any{nil}}
	said := ""
	for range 2 * inAll {
		said = strings.Join(w.Render(endless).Failures, " ")
		if !strings.Contains(said, "they take longer than 100ms") {
			break
		}
	}
	if !strings.Contains(said, "those before have taken more than 600ms") {
		t.Error(said)
	}
}
