package incident

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

// mostUnwritten is how many releases that a repository does not show are named.
const mostUnwritten = 5

// Unresolved says of which objects of a cluster a tree does not show how they are written, because not all of it
// could be resolved: a line for each reason. Of what a tree that is known in whole does not have, it says nothing.
func Unresolved(tree *effective.Tree, objects []map[string]any) []string {
	if tree == nil {
		return nil
	}
	there, why, places := map[release.Name]bool{}, map[string]string{}, 0
	for _, r := range tree.Releases {
		there[r.ID()] = true
	}
	for _, u := range tree.Undetermined {
		switch {
		case u.Release != "":
			why[u.Release] = fmt.Sprintf("%s:%d: %s", u.File, max(u.Line, 1), u.Reason)
		case !u.Shown:
			places++
		}
	}
	type unwritten struct{ name, why string }
	var all []unwritten
	for _, object := range objects {
		name := NameOf(object)
		reason := why[name.String()]
		if reason == "" && places > 0 {
			reason = words.Count(places, "place") + ` could not be resolved; "flux-remedy lint" lists them`
		}
		if !there[name] && reason != "" {
			all = append(all, unwritten{name.String(), reason})
		}
	}
	return words.Of(words.Alike[[]unwritten](all, func(u unwritten) string { return u.why }), func(same []unwritten) string {
		names := words.Of(same, func(u unwritten) string { return u.name })
		return "judged without the repository: " + words.First(names, mostUnwritten, "") + ": " + same[0].why
	})
}
