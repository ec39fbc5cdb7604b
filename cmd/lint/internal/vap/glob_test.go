package vap

import (
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/bmatcuk/doublestar/v4"
)

// TestPattern compares the patterns of random globs with the globs themselves.
func TestPattern(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "b", "-", ":", ".", "*", "?", "[ab]", "[!a]", "[a-b]", "{a,b-}", "{a*,b}", `\*`, "+", "$"}
	names := []string{"a", "b", "-", ":", ".", "*", "+", "$", "ab"}
	matched := 0
	for range 20_000 {
		glob, name := "", ""
		for range 1 + random.IntN(4) {
			glob += pieces[random.IntN(len(pieces))]
		}
		for range 1 + random.IntN(4) {
			name += names[random.IntN(len(names))]
		}
		want, err := doublestar.Match(glob, name)
		if err != nil {
			t.Fatal(glob, err)
		}
		if got := regexp.MustCompile(pattern(glob)).MatchString(name); got != want {
			t.Errorf("glob %s, pattern %s, %s: matches %t, want %t", glob, pattern(glob), name, got, want)
		}
		if want {
			matched++
		}
	}
	if matched < 100 {
		t.Errorf("only %d matched", matched)
	}
	for glob, name := range map[string]string{"oidc/*": "oidc/bob", "**": "a/b", "*/x": "a/x"} {
		if !regexp.MustCompile(pattern(glob)).MatchString(name) {
			t.Errorf("%s does not match %s", glob, name)
		}
	}
	if regexp.MustCompile(pattern("*")).MatchString("a/b") {
		t.Error("* matches a slash")
	}
}
