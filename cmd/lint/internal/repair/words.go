package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

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
	for _, same := range words.Alike[[]target](targets, func(t target) string { return fmt.Sprint(clusters[t.release.String()]) }) {
		names := words.Distinct(words.Of(same, func(t target) string { return t.release.String() }))
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
	return words.List(names)
}

// not negates "fixed" and "would be fixed".
func not(fixed string) string {
	if rest, ok := strings.CutPrefix(fixed, "would "); ok {
		return "would not " + rest
	}
	return "not " + fixed
}
