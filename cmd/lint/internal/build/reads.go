package build

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"path"
	"path/filepath"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
)

// asked is a question about a path: what is there, or the names of all files below it.
type asked struct {
	path  string
	below bool
}

// answer returns the hash of a file, of the names below a folder, or of nothing.
func (a asked) answer(files *tree.Tree) tree.Hash {
	f := files.File(a.path)
	switch {
	case f != nil:
		return f.Hash()
	case !files.IsDir(a.path):
		return tree.Hash{}
	case !a.below:
		return tree.Hash{1}
	}
	sum := sha256.New()
	writeNames(sum, files, a.path)
	return tree.Hash(sum.Sum(nil))
}

func writeNames(sum hash.Hash, files *tree.Tree, dir string) {
	for _, name := range files.Entries(dir) {
		fmt.Fprintf(sum, "%s\x00", name)
		if files.IsDir(name) {
			writeNames(sum, files, name)
		}
	}
}

// reads are the questions of a build about its files, with the answers.
type reads map[asked]tree.Hash

// hold reports whether files would have given a build the same answers.
func (r reads) hold(files *tree.Tree) bool {
	for question, answer := range r {
		if question.answer(files) != answer {
			return false
		}
	}
	return true
}

// of returns a file system for kustomize that records what is read from it. Files that
// the build itself puts over the tree's are not recorded.
func (r reads) of(files *tree.Tree, over map[string][]byte) noted {
	return noted{files.FileSystem(mount), r, files, over}
}

// noted is a file system that records what is read from it.
type noted struct {
	filesys.FileSystem
	reads reads
	files *tree.Tree
	over  map[string][]byte // other content, by kustomize's path
}

// note records the answer to a question.
func (n noted) note(name string, below bool) {
	name, inside := strings.CutPrefix(path.Clean(name)+"/", mount+"/")
	question := asked{path.Clean(name), below}
	if _, known := n.reads[question]; inside && !known {
		n.reads[question] = question.answer(n.files)
	}
}

// ReadFile reads a file, unless kustomize would not end to expand it.
func (n noted) ReadFile(name string) ([]byte, error) {
	data, ok := n.over[path.Clean(name)]
	if !ok {
		n.note(name, false)
		var err error
		if data, err = n.FileSystem.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if err := checkAliases(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

func (n noted) Exists(name string) bool {
	if _, ok := n.over[path.Clean(name)]; ok {
		return true
	}
	n.note(name, false)
	return n.FileSystem.Exists(name)
}

func (n noted) IsDir(name string) bool {
	n.note(name, false)
	return n.FileSystem.IsDir(name)
}

func (n noted) ReadDir(name string) ([]string, error) {
	n.note(name, true)
	return n.FileSystem.ReadDir(name)
}

func (n noted) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	n.note(name, false)
	return n.FileSystem.CleanedAbs(name)
}

func (n noted) Open(name string) (filesys.File, error) {
	n.note(name, false)
	return n.FileSystem.Open(name)
}

func (n noted) Glob(pattern string) ([]string, error) {
	n.note(mount, true) // whatever is there may match
	return n.FileSystem.Glob(pattern)
}

func (n noted) Walk(name string, walk filepath.WalkFunc) error {
	n.note(name, true)
	return n.FileSystem.Walk(name, walk)
}
