package rules

import (
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

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
		{"legacy/*/*", "legacy/**", false},
		{"legacy/*/*/**", "legacy/**", false},
		{"legacy/*/**/x.yaml", "legacy/**/x.yaml", false},
		{"legacy/**", "legacy/**/x.yaml", true},
		{"*/*", "{a,b/c}", false},
		{"**/x.yaml", "legacy/**/x.yaml", true},
		{"**", "legacy/**", true},
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

func TestMilderTiers(t *testing.T) {
	entry := func(tier release.Tier, globs ...string) TierRule { return TierRule{tier, Match{Namespaces: globs}} }
	development, staging, production := release.Development, release.Staging, release.Production
	for name, c := range map[string]struct {
		was, is []TierRule
		want    int
	}{
		"none":     {},
		"same":     {was: []TierRule{entry(development, "x-*")}, is: []TierRule{entry(development, "x-*")}},
		"new":      {is: []TierRule{entry(development, "x-*")}, want: 1},
		"strict":   {is: []TierRule{entry(production, "x-*")}},
		"hidden":   {is: []TierRule{entry(production, "x-any"), entry(development, "x-*")}, want: 1},
		"glob":     {was: []TierRule{entry(development, "x-*")}, is: []TierRule{entry(development, "x-*", "y")}, want: 1},
		"narrower": {was: []TierRule{entry(development, "x-*")}, is: []TierRule{entry(development, "x-a", "x-b")}},
		"stricter": {was: []TierRule{entry(development, "x-*")}, is: []TierRule{entry(staging, "x-*")}},
		"milder":   {was: []TierRule{entry(staging, "x-*")}, is: []TierRule{entry(development, "x-*")}, want: 2},
		"gone":     {was: []TierRule{entry(development, "x-*")}},
		"staging":  {was: []TierRule{entry(staging, "x-*")}, want: 1},
		"before":   {was: []TierRule{entry(production, "a"), entry(development, "*")}, is: []TierRule{entry(development, "*"), entry(production, "a")}, want: 1},
		"after":    {was: []TierRule{entry(development, "*"), entry(production, "a")}, is: []TierRule{entry(production, "a"), entry(development, "*")}},
		"another": {
			was:  []TierRule{entry(development, "x-*")},
			is:   []TierRule{{development, Match{Clusters: []string{"a"}}}},
			want: 1,
		},
		"less of it": {
			was: []TierRule{entry(development, "x-*")},
			is:  []TierRule{{development, Match{Namespaces: []string{"x-*"}, Clusters: []string{"a"}}}},
		},
	} {
		was, is := &Config{Spec: ConfigSpec{Tiers: c.was}}, &Config{Spec: ConfigSpec{Tiers: c.is}}
		if got := is.MilderTiers(was); len(got) != c.want {
			t.Errorf("%s: MilderTiers = %v, want %d", name, got, c.want)
		}
	}
}

func TestMilderClusters(t *testing.T) {
	config := func(tier release.Tier) *Config {
		return &Config{Spec: ConfigSpec{Clusters: []ClusterConfig{{Name: "live", Tier: tier}, {Name: "dev-2", Tier: release.Development}}}}
	}
	if got := config(release.Development).MilderTiers(config("")); len(got) != 1 {
		t.Errorf("MilderTiers of a cluster = %v, want it", got)
	}
	if got := config("").MilderTiers(config(release.Staging)); len(got) != 0 {
		t.Errorf("MilderTiers of a cluster by default = %v, want none", got)
	}
}
