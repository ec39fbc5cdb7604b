package object

import "testing"

func TestSameRepository(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/example/fleet":             true,
		"https://github.com/Example/fleet.git":         true,
		"ssh://git@github.com/example/fleet":           true,
		"git@github.com:example/fleet.git":             true,
		"https://user:token@github.com/example/fleet/": true,
		"https://github.com/example/other":             false,
		"https://gitlab.com/example/fleet":             false,
	} {
		if got := SameRepository("https://github.com/example/fleet", url); got != want {
			t.Errorf("%s: %v, want %v", url, got, want)
		}
	}
}
