package editor

import "testing"

// Of several settings in a line the one counts that is written last before the cursor, in whatever
// order they are.
func TestNearest(t *testing.T) {
	for _, test := range []struct{ first, second, cursor, want int }{
		{15, 3, 5, 3},
		{3, 15, 5, 3},
		{15, 3, 15, 15},
		{15, 3, 20, 15},
		{15, 3, 1, 3},
		{3, 15, 1, 3},
	} {
		all := []setting{{column: test.first}, {column: test.second}}
		if got := nearest(all, test.cursor); got != test.want {
			t.Errorf("columns %d and %d, cursor at %d: %d, want %d", test.first, test.second, test.cursor, got, test.want)
		}
	}
}
