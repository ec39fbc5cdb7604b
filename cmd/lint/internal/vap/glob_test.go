package vap

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// TestPattern compares the patterns of random globs with the globs themselves.
func TestPattern(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "b", "-", ":", ".", "*", "?", "[ab]", "[a-b]", "{a,b-}", "{a*,b}", `\*`, "+", "$", "/", "**", "/**", "**/", "[a-b:]", "é"}
	names := []string{"a", "b", "-", ":", ".", "*", "+", "$", "ab", "/", "a/b", "é"}
	matched := 0
	for range 60_000 {
		glob, name := "", ""
		for range 1 + random.IntN(4) {
			glob += pieces[random.IntN(len(pieces))]
		}
		for range 1 + random.IntN(4) {
			name += names[random.IntN(len(names))]
		}
		if !sayable(glob) || strings.Contains("/"+name+"/", "//") {
			continue // names have no empty parts
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
	for _, glob := range []string{"[[:alpha:]]x", `[a\]b]`, `[\w]`, "[z-a]", "{**,a}", "oidc:**", "a/**/", "[!a]x", "[", "{a/**,b}"} {
		config := &rules.Config{}
		config.Spec.Admission.Exempt = []rules.Exemption{{Users: []string{glob}}}
		if checkGlobs(config) == nil {
			t.Errorf("%s is not refused", glob)
		}
	}
}

// An exemption of service accounts matches those that the webhook exempts: the slash of
// NAMESPACE/NAME may stand anywhere in the glob.
func TestAccounts(t *testing.T) {
	globs := []string{"*flux*", "flux*/*", "team-*/deployer", "*/deployer", "{ops,tools/ci}", "{a/x,b/y}", "**", "ops/**", "**/ci", "team-?/[a-d]eployer"}
	names := []string{"flux-system", "my-flux-tenant", "team-a", "ops", "tools", "a", "b", "deployer", "ci", "x", "y"}
	matched := 0
	for _, glob := range globs {
		for _, namespace := range names {
			for _, name := range names {
				account := namespace + "/" + name
				want := doublestar.MatchUnvalidated(glob, account)
				if got := regexp.MustCompile(pattern(glob)).MatchString(account); got != want {
					t.Errorf("%s, %s: matches %t, want %t", glob, account, got, want)
				}
				if want {
					matched++
				}
			}
		}
	}
	if matched < 50 {
		t.Errorf("only %d matched", matched)
	}
	text := exempts(rules.Exemption{ServiceAccounts: []string{"team-*/deployer"}})
	if want := `"^system/serviceaccount/(?s:team-[^/]*/deployer)$"`; !strings.Contains(text, want) {
		t.Errorf("got %s, want %s", text, want)
	}
}
