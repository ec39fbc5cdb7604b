package yamledit

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

// FuzzQuick holds what is read quickly to what the parser reads.
func FuzzQuick(f *testing.F) {
	addSeeds(f)
	for _, text := range []string{
		"a: 1\nb:\n  c: x # y\n  d:\n  - e\n  -  f: g\n     h: |\n\n      i\n       j\n\n  k: \"l\"\n",
		"a: |-\n  b\n\nc:\n# d\n  - {}\n  - []  # e\n  - 'f'\n  - -1\n  - 1.5\n  - # g\n    h: i\ny: yes\n",
		"---\na:\n  b\nc: d\n  e\n", "  ---\na: b\n", "# c\n ---\na: b\n", "a: |\nb: |\n   c\n  d\n", "a: b: c\n", "a:\n- b\n  - c\n", "a: b\na: c\n", "a: 0o7\nb: 1_000\nc: 1e3\nd: .5\n",
		"- a: |\n   b\n  c: d\n", "a:\n  b: 1\n c: 2\n", "a: x #y\nb: x#y\nc: \"#\" # z\nd: '' #\ne: 'a''b'\nf: \"a\\n\"\n", "a:\n\n# b\n\n- c\nd: e\n",
	} {
		f.Add([]byte(text))
	}
	var many strings.Builder
	for i := range 3 * quick.MaxKeys {
		fmt.Fprintf(&many, "k%d: %d\n", i, i)
	}
	for _, last := range []string{"k: 1\n", "k0: 1\n", fmt.Sprintf("k%d: 1\n", 2*quick.MaxKeys), "a:\n  k0: 1\n"} {
		f.Add([]byte(many.String() + last))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := &Reader{}
		for range 2 { // what is kept of the first time is what the second one finds
			for _, s := range split(data) {
				sameAsParsed(t, r, data[s.start:s.end])
			}
		}
	})
}

func sameAsParsed(t *testing.T, r *Reader, text []byte) bool {
	t.Helper()
	got, ok := quick.Read(text, false)
	if !ok {
		return false
	}
	parsed, fault := parse(text)
	if fault != nil {
		t.Fatalf("read quickly, but the parser says %s:\n%s", fault.message, text)
	}
	same(t, "", got, parsed.root)
	whole, fault := parsed.decode(parsed.root)
	left, ok := quick.Read(text, true)
	if !ok {
		return false
	}
	lean, leanFault := parsed.decode(left)
	if fault != nil || leanFault != nil {
		if leanFault == nil {
			t.Fatalf("read without values, but cannot be decoded: %s:\n%s", fault.message, text)
		}
		return true
	}
	sameAgain(t, r, text, left)
	if spec, isMapping := whole.(map[string]any)["spec"].(map[string]any); isMapping && spec["values"] != nil {
		spec["values"] = nil
	}
	if !reflect.DeepEqual(lean, whole) {
		t.Fatalf("without values:\n%#v\nwith them:\n%#v\n%s", lean, whole, text)
	}
	return true
}

// sameAgain holds what is shared of a document, and what is read of it again, to what is
// read by itself.
func sameAgain(t *testing.T, r *Reader, text []byte, lean *yaml.Node) {
	t.Helper()
	file, err := r.Parse("", func() []byte { return text })
	if err != nil || len(file.Documents) != 1 {
		return
	}
	d := file.Documents[0]
	if !d.memo.quickly {
		t.Fatalf("is not read quickly by a reader:\n%s", text)
	}
	if d.memo.without {
		same(t, "again", d.lean().root, lean)
	}
	root, _ := quick.Read(text, d.memo.without)
	want, _ := (&tree{}).decode(root)
	if got, err := d.Shared(); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("shared is\n%#v\nnot\n%#v (%v)\n%s", got, want, err, text)
	}
}

// same compares nodes, without their comments.
func same(t *testing.T, at string, got, want *yaml.Node) {
	t.Helper()
	of := func(n *yaml.Node) yaml.Node {
		return yaml.Node{Kind: n.Kind, Style: n.Style, Tag: n.Tag, Value: n.Value, Anchor: n.Anchor, Line: n.Line, Column: n.Column}
	}
	if !reflect.DeepEqual(of(got), of(want)) || len(got.Content) != len(want.Content) {
		t.Fatalf("%s: read quickly as\n%#v\nby the parser as\n%#v", at, got, want)
	}
	for i := range got.Content {
		same(t, fmt.Sprint(at, "/", i), got.Content[i], want.Content[i])
	}
}

// Of all texts of three of these lines, what is read quickly is read as the parser does.
func TestQuickOfFewLines(t *testing.T) {
	lines := []string{
		"a:", "a: 1", "b: c", "  d: e", "  f:", "    g: h", "- i", "- j: k", "  - l", "- # m", "- - n", "  o", "# p", "", "  ", "spec:", "  values:", "q: |", "- r: |", "s: |2", "t: |+", "   u  ",
		`v: "w" x`, `"y": z`, `A: "B\"`, "C: {} D", "E: [] # F", "G: H: I", "J: K:", "L: -", "M: --", "N: 'O'P'", "n: 1", "1: 2", "- 010", "Q: 1.0", "R: 1.5.", "S: 9999999999999999999", "T: =", "U: 1e3", "V: \t", "W: x  ", "# \x01", "# \x7f", "# \u0085", "X: 0x1F", "Y: 1.2", "no: y", strings.Repeat("Z", 1100) + ": 1",
	}
	r, certain := &Reader{}, 0
	for _, a := range lines {
		for _, b := range lines {
			for _, c := range lines {
				if sameAsParsed(t, r, []byte(a+"\n"+b+"\n"+c+"\n")) {
					certain++
				}
			}
		}
	}
	if certain < 1000 {
		t.Errorf("only %d are read quickly", certain)
	}
}

// Many manifests of the example fleets are read quickly, each as the parser reads it. Of
// real repositories it is four of five.
func TestQuickReadsManifests(t *testing.T) {
	r := &Reader{}
	n, certain := 0, 0
	err := filepath.WalkDir("../../../../testdata", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		data, err := os.ReadFile(path)
		for _, s := range split(data) {
			n++
			if sameAsParsed(t, r, data[s.start:s.end]) {
				certain++
			}
		}
		return err
	})
	if err != nil || certain < n/4 {
		t.Fatalf("%d of %d documents are read quickly (%v)", certain, n, err)
	}
}

// What is read quickly is within the limits of a document, however many nodes it has.
func TestQuickIsWithinLimits(t *testing.T) {
	const densest = "- a:\n"
	text := []byte("a:\n" + strings.Repeat(densest, (quick.MaxSize-3)/len(densest)))
	if _, ok := quick.Read(text, false); !ok {
		t.Error("it is not read quickly")
	}
	if _, fault := parse(text); fault != nil {
		t.Error(fault)
	}
}
