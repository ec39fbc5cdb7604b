package document

import (
	"strings"
	"testing"
)

// TestClip: what is cut says so, keeps to its rows, and still names what it is about.
func TestClip(t *testing.T) {
	const url = "https://example.com/releases/download/v1.4.0/install.yaml"
	for _, c := range []struct{ text, want string }{
		{"one two three\n", "one two three\n"},
		{strings.Repeat("word ", 40) + "end\n", strings.TrimSuffix(strings.Repeat("word ", 15), " ") + " ...\n"},
		{"one two\n    three four\n    five six\n", "one two\n    three four ...\n"},
		{"place:\n    undetermined:\n    " + url + " is missing\n", "place:\n    undetermined: https://example.com...\n"},
		{"place:\n    undetermined:\n    \x1b[2m" + url + "\x1b[0m\n", "place:\n    undetermined: \x1b[2mhttps://example.com...\x1b[0m\n"},
		{"place:\n    undetermined:\n    \x1b]8;;" + url + "\x1b\\" + url + "\x1b]8;;\x1b\\\n", "place:\n    undetermined: ...\n"},
	} {
		screen := Screen{Width: 40}
		got := screen.Clip(c.text, 2)
		if got != c.want {
			t.Errorf("%q is cut to %q, want %q", c.text, got, c.want)
		}
		if n := screen.Rows(got); n > 2 || !strings.HasSuffix(got, "\n") {
			t.Errorf("%q has %d rows", got, n)
		}
	}
}
