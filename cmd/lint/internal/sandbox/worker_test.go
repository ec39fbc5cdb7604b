package sandbox

import (
	"bytes"
	"fmt"
	"io"
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

// A lack of memory has many words, of Go's runtime, of C's, and of the process itself.
func TestLastWords(t *testing.T) {
	for said, want := range map[string]string{
		"": "EOF",
		"runtime: goroutine stack exceeds 16777216-byte limit\nfatal error: stack overflow":                     "they call themselves without end",
		"fatal error: runtime: out of memory\n":                                                                 "they ran out of memory",
		"runtime: cannot allocate memory":                                                                       "they ran out of memory",
		"fatal error: runtime: cannot map pages in arena address space":                                         "they ran out of memory",
		"fatal error: failed to reserve page summary memory":                                                    "they ran out of memory",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable\nSIGABRT: abort":                  "they ran out of memory",
		"runtime: failed to create new OS thread (have 7 already; errno=11)\nfatal error: newosproc":            "they ran out of memory",
		"they need more than 128 MiB of memory: --max-memory allows more\n":                                     "they need more than 128 MiB of memory: --max-memory allows more",
		"they give more than 64 MiB\n":                                                                          "they give more than 64 MiB",
		"panic: runtime error: index out of range [1] with length 1\n\ngoroutine 1 [running]:\nmain.main()\n\t": "panic: runtime error: index out of range [1] with length 1",
	} {
		c := &child{err: bytes.NewBufferString(said)}
		if got := c.lastWords(io.EOF); got != want {
			t.Errorf("%q\nis told as %q, want %q", said, got, want)
		}
	}
}
