package document

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"slices"
	"strings"
	"testing"
)

// TestFrame: only the style and the script of a page may run, whose digests its policy has.
func TestFrame(t *testing.T) {
	f := NewFrame(Frame{}, "p {}", "run()")
	if string(f.Style) != shared+"p {}" || string(f.Script) != listing+"run()" || f.Policy != ContentPolicy(string(f.Style), string(f.Script)) {
		t.Errorf("the policy is of something else: %s", f.Policy)
	}
	const want = "default-src 'none'; img-src data:; style-src 'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='; script-src 'sha256-AvyuiL0SD1mVY3NNxR+V2uo+lhk6RMFrytWmRt6CrJQ='; base-uri 'none'; form-action 'none'"
	if got := ContentPolicy("p {}", "run()"); got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
}

// TestPack: what is packed is the value as JSON again, and closes no script.
func TestPack(t *testing.T) {
	packed, err := Pack(map[string]string{"name": "</script>"})
	if err != nil || strings.Contains(string(packed), "<") {
		t.Fatal(packed, err)
	}
	raw, err := base64.StdEncoding.DecodeString(strings.Trim(string(packed), `"`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); string(got) != `{"name":"\u003c/script\u003e"}` || err != nil {
		t.Errorf("%s, %v", got, err)
	}
}

// TestBar: the parts of a bar follow one another, and what is of no kind leaves room.
func TestBar(t *testing.T) {
	got := Bar([]string{"bad", "none", "good"}, map[string]int{"bad": 1, "good": 2}, 4)
	want := []Part[string]{{"bad", 1, 0, 25}, {"good", 2, 25, 50}}
	if !slices.Equal(got, want) || got[1].Top() != 25 {
		t.Errorf("%v, want %v", got, want)
	}
}
