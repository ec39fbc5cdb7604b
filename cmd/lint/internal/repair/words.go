package repair

import (
	"fmt"
	"slices"
	"strings"
)

// grouped puts together what has one key, in the order of the first of each.
func grouped[T any](all []T, key func(T) string) [][]T {
	var out [][]T
	at := map[string]int{}
	for _, v := range all {
		i, ok := at[key(v)]
		if !ok {
			i, at[key(v)] = len(out), len(out)
			out = append(out, nil)
		}
		out[i] = append(out[i], v)
	}
	return out
}

// mostNames is how many of equal things are named.
const mostNames = 5

// releases names those of findings, with their clusters: the first few, and how many more there are.
func releases(targets []target) string {
	clusters := map[string][]string{}
	for _, t := range targets {
		name := t.release.String()
		if !slices.Contains(clusters[name], t.release.cluster) {
			clusters[name] = append(clusters[name], t.release.cluster)
		}
	}
	var parts []string
	named := 0
	for _, same := range grouped(targets, func(t target) string { return fmt.Sprint(clusters[t.release.String()]) }) {
		var names []string
		for _, t := range same {
			if !slices.Contains(names, t.release.String()) {
				names = append(names, t.release.String())
			}
		}
		if more := len(clusters) - named; named >= mostNames && more > 1 {
			parts = append(parts, fmt.Sprintf("and %d more", more))
			break
		}
		named += len(names)
		part := some(names)
		if in := slices.DeleteFunc(slices.Clone(clusters[names[0]]), func(c string) bool { return c == "" }); len(in) > 0 {
			part += " in " + some(in)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// some joins names: "a, b and c", or the first of them and how many more.
func some(names []string) string {
	if more := len(names) - mostNames; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), more)
	}
	return list(names)
}

// not negates "fixed" and "would be fixed".
func not(fixed string) string {
	if rest, ok := strings.CutPrefix(fixed, "would "); ok {
		return "would not " + rest
	}
	return "not " + fixed
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// list joins names: "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
