package release

import (
	"path"
	"slices"
	"strings"
)

// Folder is a folder that leads to a release.
type Folder struct {
	Path string
	// Entries lists the paths of what a folder of the same tree holds.
	Entries func(dir string) []string
}

// environmentParents are the names of folders that hold one folder for each
// environment.
var environmentParents = []string{
	"overlay", "overlays", "env", "envs", "environment", "environments", "stage", "stages", "cluster", "clusters",
}

// tier returns the strictest tier that the folders of the path name. A name alone
// does not lower it: apps/dev may be the apps for developers.
func (f Folder) tier() (Tier, bool) {
	var found Tier
	for dir := f.Path; dir != "." && dir != "/" && dir != ""; dir = path.Dir(dir) {
		tier, ok := tierOfWords(path.Base(dir))
		if !ok || tier != Production && !f.isEnvironment(dir, tier) {
			continue
		}
		if found == "" || tier.stricter(found) {
			found = tier
		}
	}
	return found, found != ""
}

// isEnvironment reports whether a folder that names a tier stands for an environment:
// by the name of the folder that holds it, or by its siblings, which have the same name
// but for the environment. A base beside it is enough if its name says nothing else.
func (f Folder) isEnvironment(dir string, tier Tier) bool {
	parent, name := path.Dir(dir), path.Base(dir)
	if slices.Contains(environmentParents, strings.ToLower(path.Base(parent))) {
		return true
	}
	if f.Entries == nil {
		return false
	}
	pattern := withoutTier(name)
	return slices.ContainsFunc(f.Entries(parent), func(entry string) bool {
		sibling := path.Base(entry)
		if pattern == anyTier && slices.Contains([]string{"base", "bases", "_base"}, sibling) {
			return true
		}
		other, ok := tierOfWords(sibling)
		return ok && other != tier && withoutTier(sibling) == pattern
	})
}
