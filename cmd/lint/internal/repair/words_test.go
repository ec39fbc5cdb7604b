package repair

import (
	"fmt"
	"testing"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Releases of many clusters are named as few as those of one.
func TestReleases(t *testing.T) {
	in := func(from, to int, cluster string) []target {
		var out []target
		for i := from; i <= to; i++ {
			out = append(out, target{release: identity{cluster: cluster, name: release.Name{Namespace: "a", Name: fmt.Sprint(i)}}})
		}
		return out
	}
	each := func(to int) []target {
		var out []target
		for i := range to {
			out = append(out, in(i+1, i+1, fmt.Sprint("c", i+1))...)
		}
		return out
	}
	for want, targets := range map[string][]target{
		"a/1 and a/2":                                                       in(1, 2, ""),
		"a/1, a/2, a/3, a/4, a/5 and 3 more":                                in(1, 8, ""),
		"a/1 in c and d; a/2 in d":                                          append(in(1, 1, "c"), in(1, 2, "d")...),
		"a/1, a/2, a/3, a/4, a/5 and 2 more in c; a/8 in d":                 append(in(1, 7, "c"), in(8, 8, "d")...),
		"a/1, a/2, a/3, a/4, a/5 and 2 more in c; and 2 more":               append(in(1, 7, "c"), in(8, 9, "d")...),
		"a/1 in c1; a/2 in c2; a/3 in c3; a/4 in c4; a/5 in c5; a/6 in c6":  each(6),
		"a/1 in c1; a/2 in c2; a/3 in c3; a/4 in c4; a/5 in c5; and 4 more": each(9),
	} {
		if got := releases(targets); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}
