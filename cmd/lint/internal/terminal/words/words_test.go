package words

import (
	"strings"
	"testing"
)

func TestFirst(t *testing.T) {
	for want, got := range map[string]string{
		"":                        First(nil, 2, "place"),
		"a, b":                    First([]string{"a", "b"}, 1, "place"),
		"a and 2 more places":     First([]string{"a", "b", "c"}, 1, "place"),
		"a, b and 3 more":         First(strings.Split("abcde", ""), 2, ""),
		"a, b, c":                 First([]string{"a", "b", "c"}, 0, "place"),
		"a, b and c; 1 place":     List([]string{"a", "b", "c"}) + "; " + Count(1, "place"),
		"a; 0 places":             List([]string{"a"}) + "; " + Count(0, "place"),
		"A, BC and 10 more items": First(Of(append([]string{"a", "bc"}, make([]string, 10)...), strings.ToUpper), 2, "item"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
