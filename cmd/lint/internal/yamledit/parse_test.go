package yamledit

import (
	"fmt"
	"strings"
	"testing"
)

func mustParse(t *testing.T, text string) *File {
	t.Helper()
	f, err := Parse("f.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestParseSplits(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		lines      []int // of each document
	}{
		{"empty", "", nil},
		{"only comments", "# a\n\n  # b\n", nil},
		{"one", "a: 1\n", []int{1}},
		{"no newline at the end", "a: 1", []int{1}},
		{"comment before the marker", "# c\n---\n# d\na: 1\n", []int{4}},
		{"several", "a: 1\n---\nb: 1\n---\n\nc: 1\n", []int{1, 3, 6}},
		{"content on the marker's line", "--- {a: 1}\n--- # c\nb: 1\n", []int{1, 3}},
		{"empty document between", "a: 1\n---\n# none\n---\nb: 1\n", []int{1, 2, 5}},
		{"marker at the end", "a: 1\n---\n", []int{1, 2}},
		{"directive", "%YAML 1.1\n---\na: 1\n...\n%YAML 1.1\n---\nb: 1\n", []int{3, 7}},
		{"document end", "a: 1\n...\n# c\nb: 1\n...\n", []int{1, 4}},
		{"byte order mark", "\ufeff# c\na: 1\n", []int{2}},
		{"windows", "a: 1\r\n---\r\nb: 1\r\n", []int{1, 3}},
		{"marker inside a literal", "a: |\n  ---\n  x\n", []int{1}},
		{"json", "\n{\n \"a\": 1}\n", []int{2}},
		{"json stream", "{\"a\": 1}\n{\"b\":\n1}\n{\"c\": 1}", []int{1, 2, 4}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := mustParse(t, tc.text)
			var lines []int
			for i, d := range f.Documents {
				if d.Err != nil || d.Index != i {
					t.Errorf("document %d: index %d, error %v", i, d.Index, d.Err)
				}
				lines = append(lines, d.Line)
			}
			if len(lines) != len(tc.lines) {
				t.Fatalf("lines %v, want %v", lines, tc.lines)
			}
			for i := range lines {
				if lines[i] != tc.lines[i] {
					t.Fatalf("lines %v, want %v", lines, tc.lines)
				}
			}
		})
	}
}

func TestParseRefusesFile(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"binary", "\x7fELF\x00\x01", "binary"},
		{"utf-16", "\xff\xfea\x00:\x00", "save it as UTF-8"},
		{"invalid utf-8", "a: 1\nb: \xff\n", "line 2"},
		{"2 million documents", strings.Repeat("---\na\n", MaxFileSize/6), "documents is over the limit"},
		{"5 million JSON documents", strings.Repeat("{}\n", MaxFileSize/3), "documents is over the limit"},
		{"50 MB", strings.Repeat("a", 50<<20), "larger than the limit"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Parse("f", []byte(tc.text)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want %q", err, tc.want)
			}
		})
	}
}

// TestParseDocumentErrors puts a readable document before and after each
// unreadable one. Neither may be hidden.
func TestParseDocumentErrors(t *testing.T) {
	for _, tc := range []struct {
		name, text, want string
		line, column     int // in text; 0 if not compared
	}{
		{"tab", "a:\n  b: 1\n\tc: 1\n", "tab character", 0, 0},
		{"template", "a: {{ .Values.x }}\nb: 1\n", "key is a list or a mapping", 1, 5},
		{"unclosed", "a: [1\n", "did not find expected", 0, 0},
		{"duplicate key", "a: 1\nb:\n  c: 1\n  'c': 2\n", `key "c" is already defined`, 4, 3},
		{"duplicate after resolution", "y: 1\n'true': 1\n", `key "true" is already defined`, 2, 1},
		{"two merge keys", "a: &a {}\nb:\n  <<: *a\n  <<: *a\n", "already defined", 4, 3},
		{"merged scalar", "b:\n  <<: 1\n", "merge key", 2, 3},
		{"list as key", "? [a]\n: 1\n", "key is a list", 1, 3},
		{"null as key", "a:\n  ~: 1\n", "cannot be a key", 2, 3},
		{"unknown anchor", "a: 1\nb: *nope\n", "unknown anchor", 2, 4},
		{"anchor in itself", "a: &a\n  b: [*a]\n", "contains itself", 2, 7},
		{"yaml 1.2 directive", "%YAML 1.2\n---\na: 1\n", "incompatible", 0, 0},
		{"control character", "a: \x01\n", "control characters", 0, 0},
		{"10,000 flow levels", strings.Repeat("[", 20000), "max depth", 0, 0},
		{"9,000 closed flow levels", strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "nested deeper", 0, 0},
		{"10,000 maps", strings.Repeat("{a: ", 10000) + strings.Repeat("}", 10000), "nested deeper", 0, 0},
		{"10,000 block levels", strings.Repeat("- ", 9000) + "a\n", "nested deeper", 0, 0},
		{"more block levels than the parser accepts", strings.Repeat("- ", 20000) + "a\n", "max depth", 0, 0},
		{"levels through aliases", deepAliases(), "nested deeper", 0, 0},
		{"alias bomb", aliasBomb("[%s]"), "aliases expanded", 0, 0},
		{"merge bomb", aliasBomb("{<<: [%s]}"), "aliases expanded", 0, 0},
		{"json objects on one line", "{\"a\": 1} {\"b\": 1}", "expected <document start>", 0, 0},
		{"a marker that is indented", " ---\na: 1\n", "mapping values are not allowed", 0, 0},
		{"too large", "a: " + strings.Repeat("x", MaxDocumentSize) + "\n", "larger than the limit", 0, 0},
		{"too many nodes", "[" + strings.Repeat("a,", MaxNodes) + "]\n", "more than", 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := "first: 1\n"
			if strings.HasPrefix(tc.text, "%") {
				before += "...\n"
			} else {
				before += "---\n"
			}
			f := mustParse(t, before+tc.text+"\n---\nlast: 1\n")
			if len(f.Documents) != 3 {
				t.Fatalf("%d documents, want 3", len(f.Documents))
			}
			if f.Documents[0].Err != nil || f.Documents[2].Err != nil {
				t.Errorf("the other documents: %v, %v", f.Documents[0].Err, f.Documents[2].Err)
			}
			err, ok := f.Documents[1].Err.(*SyntaxError)
			if !ok || !strings.Contains(err.Message, tc.want) {
				t.Fatalf("error %v, want %q", f.Documents[1].Err, tc.want)
			}
			if tc.line > 0 && (err.Line != tc.line+2 || err.Column != tc.column) {
				t.Errorf("error at %d:%d, want %d:%d", err.Line, err.Column, tc.line+2, tc.column)
			}
			if _, err := f.Documents[1].Object(); err == nil {
				t.Error("object of an unreadable document has no error")
			}
			if _, exact := f.Documents[1].Find("a"); exact {
				t.Error("found a field in an unreadable document")
			}
		})
	}
}

// aliasBomb returns a document in which each line names the one before it nine
// times.
func aliasBomb(format string) string {
	var b strings.Builder
	b.WriteString("a0: &a0 {x: 1}\n")
	for i := range 9 {
		aliases := strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i), 9), ", ")
		fmt.Fprintf(&b, "a%d: &a%d %s\n", i+1, i+1, fmt.Sprintf(format, aliases))
	}
	return b.String()
}

// deepAliases returns a document that is flat until its aliases are followed.
func deepAliases() string {
	var b strings.Builder
	b.WriteString("- &a0 1\n")
	for i := range MaxDepth + 1 {
		fmt.Fprintf(&b, "- &a%d [*a%d]\n", i+1, i)
	}
	return b.String()
}

// What is no stream of JSON objects is one document of YAML, which says so.
func TestParseNoStream(t *testing.T) {
	for _, text := range []string{"{}null", "{\"a\": 1}\nnull\n", "{\"a\": 1}\nnull\n{\"b\": 1}\n", "{}\n[]\n", "{}\n1\n"} {
		if f := mustParse(t, text); len(f.Documents) != 1 || f.Documents[0].Err == nil {
			t.Errorf("%q: %d documents, %v", text, len(f.Documents), f.Documents[0].Err)
		}
	}
}
