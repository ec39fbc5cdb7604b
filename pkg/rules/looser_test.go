package rules

import "testing"

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		glob, other string
		want        bool
	}{
		{"", "", true},
		{"", "apps", true},
		{"apps", "", false},
		{"apps-*", "apps-shop", true},
		{"apps-*", "apps-*-eu", true},
		{"apps-*", "app*", false},
		{"apps/*", "apps/**", false},
		{"apps/**", "apps/*/x.yaml", true},
		{"app?", "app*", false},
		{"app?", "apps", true},
		{"{a,b}", "{a,b}", true},
		{"[ab]", "*", false},
	} {
		if got := covers(c.glob, c.other); got != c.want {
			t.Errorf("covers(%q, %q) = %v, want %v", c.glob, c.other, got, c.want)
		}
	}
}

func TestMatchedBy(t *testing.T) {
	for glob, want := range map[string]string{"x-*": "x-any", "a/**/b?": "a/any/ba", "{dev,test}-[ab]": "dev-a", "plain": "plain"} {
		if got := matchedBy(glob); got != want || !matchAny([]string{glob}, got) {
			t.Errorf("matchedBy(%q) = %q, want %q", glob, got, want)
		}
	}
}
