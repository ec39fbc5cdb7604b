package yamledit

import "testing"

func TestDropAt(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		path []any
		want string
	}{
		"with its comment":      {"l:\n  - a\n  # of b\n  - b\n  # of c\n  - c\n", []any{"l", 1}, "l:\n  - a\n  # of c\n  - c\n"},
		"not a comment of a":    {"l:\n  - a: 1\n    # b: 2\n\n  - b\n", []any{"l", 1}, "l:\n  - a: 1\n    # b: 2\n\n"},
		"last":                  {"x: 1\nl:\n  - a\n  # of b\n  - b\n", []any{"l", 1}, "x: 1\nl:\n  - a\n"},
		"the only one":          {"x: 1\nl:\n  # of a\n  - a\n", []any{"l", 0}, "x: 1\n"},
		"the only one at first": {"# of l\nl: [a]\nx: 1\n", []any{"l", 0}, "x: 1\n"},
		"in brackets":           {"# of l\nl: [a, b]\n", []any{"l", 0}, "# of l\nl: [b]\n"},
		"without end of line":   {"l:\n- a\n# of b\n- b", []any{"l", 1}, "l:\n- a"},
		"all that there is":     {"- a\n", []any{0}, "[]\n"},
	} {
		got, err := DropAt([]byte(test.text), Address{{Path: test.path}})
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %v\n%q\nwant\n%q", name, err, got, test.want)
		}
	}
}
