package git

import (
	"fmt"
	"path/filepath"
)

// Modules returns the names of the submodules that a .gitmodules file lists, by their paths.
func Modules(data []byte) map[string]string {
	out := map[string]string{}
	for _, s := range parseConfig(data) {
		if s.section == "submodule" && s.key == "path" {
			out[filepath.ToSlash(filepath.Clean(s.value))] = s.name
		}
	}
	return out
}

// Module returns the files of a submodule of a revision at a commit, and the repository that has them: that of its work
// tree or, without one, what git keeps of it. It returns nil if neither is on the disk, and an error if the commit is not in it.
func (r *Repository) Module(of *Revision, path string, commit Hash) (*Repository, *Revision, error) {
	root := r.Abs(path)
	dir, err := gitDirOf(root)
	if err != nil || !dir.valid() {
		kept := filepath.Join(r.dir.common, "modules", filepath.FromSlash(of.moduleName(path)))
		if dir = (gitDir{own: kept, common: kept}); !filepath.IsLocal(of.moduleName(path)) || !dir.valid() {
			return nil, nil, nil
		}
	}
	module, err := newRepository(root, dir)
	if err != nil {
		return nil, nil, err
	}
	files, err := module.Revision(commit.String())
	if err != nil {
		return nil, nil, fmt.Errorf("the submodule %s has no commit %s here: run git -C %s fetch origin %s", path, commit, path, commit)
	}
	return module, files, nil
}

// moduleName returns the name of the submodule at a path: the path, if nothing else is said.
func (v *Revision) moduleName(path string) string {
	e, ok, err := v.Lookup(".gitmodules")
	if !ok || err != nil {
		return path
	}
	data, _, _ := v.Blob(e.Hash, maxGitFile)
	if name := Modules(data)[path]; name != "" {
		return name
	}
	return path
}
