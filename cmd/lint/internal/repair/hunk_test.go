package repair

import "testing"

func TestDiffering(t *testing.T) {
	for _, tc := range []struct {
		old, new                       string
		line, column, toLine, toColumn int
		text                           string
	}{
		{"a\nb\nc\n", "a\nx\nc\n", 2, 1, 3, 1, "x\n"},
		{"a\nc\n", "a\nx\nc\n", 2, 1, 2, 1, "x\n"},
		{"a\nb\nc\n", "a\nc\n", 2, 1, 3, 1, ""},
		{"a\n", "a\nb\n", 2, 1, 2, 1, "b\n"},
		{"a\nbü", "a\nx", 2, 1, 2, 3, "x"},
		{"a\na\n", "a\na\na\n", 3, 1, 3, 1, "a\n"},
		{"a", "", 1, 1, 1, 2, ""},
		{"", "a\n", 1, 1, 1, 1, "a\n"},
	} {
		from, cut, text := differing([]byte(tc.old), []byte(tc.new))
		if got := tc.old[:from] + string(text) + tc.old[from+cut:]; got != tc.new {
			t.Errorf("hunk of %q to %q is %q", tc.old, tc.new, got)
		}
		line, column := position([]byte(tc.old), from)
		toLine, toColumn := position([]byte(tc.old), from+cut)
		if got := [...]int{line, column, toLine, toColumn}; got != [...]int{tc.line, tc.column, tc.toLine, tc.toColumn} || string(text) != tc.text {
			t.Errorf("%q to %q: %v %q", tc.old, tc.new, got, text)
		}
	}
}
