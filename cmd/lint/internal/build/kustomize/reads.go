package kustomize

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

// Question is a question about a path: what is there, or the names of all files below it.
type Question struct {
	Path  string
	Below bool
}

// answer returns the hash of a file, of the names below a folder, or of nothing.
func (q Question) answer(files *tree.Tree) tree.Hash {
	f := files.File(q.Path)
	switch {
	case f != nil:
		return f.Hash()
	case !files.IsDir(q.Path):
		return tree.Hash{}
	case !q.Below:
		return tree.Hash{1}
	}
	sum := sha256.New()
	writeNames(sum, files, q.Path)
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

// Reads are the questions of a build about its files, with the answers.
type Reads map[Question]tree.Hash

// Note asks a question about files, unless it was asked.
func (r Reads) Note(files *tree.Tree, name string, below bool) {
	question := Question{path.Clean(name), below}
	if _, known := r[question]; !known {
		r[question] = question.answer(files)
	}
}

// hold reports whether files would have given a build the same answers.
func (r Reads) hold(files *tree.Tree) bool {
	for question, answer := range r {
		if question.answer(files) != answer {
			return false
		}
	}
	return true
}

// fileSystem is what kustomize reads: it notes what is read. Files that the build itself puts over the tree's are not noted.
type fileSystem struct {
	filesys.FileSystem
	reads Reads
	files *tree.Tree
	over  map[string][]byte // other content, by kustomize's path
}

// note notes the answer to a question about a path of kustomize.
func (n fileSystem) note(name string, below bool) {
	if name, inside := strings.CutPrefix(path.Clean(name)+"/", mount+"/"); inside {
		n.reads.Note(n.files, name, below)
	}
}

// ReadFile reads a file, unless kustomize would not end to expand it.
func (n fileSystem) ReadFile(name string) ([]byte, error) {
	data, ok := n.over[path.Clean(name)]
	if !ok {
		n.note(name, false)
		var err error
		if data, err = n.FileSystem.ReadFile(name); err != nil {
			return nil, err
		}
	}
	if err := CheckAliases(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, nil
}

func (n fileSystem) Exists(name string) bool {
	if _, ok := n.over[path.Clean(name)]; ok {
		return true
	}
	n.note(name, false)
	return n.FileSystem.Exists(name)
}

func (n fileSystem) IsDir(name string) bool {
	n.note(name, false)
	return n.FileSystem.IsDir(name)
}

func (n fileSystem) ReadDir(name string) ([]string, error) {
	n.note(name, true)
	return n.FileSystem.ReadDir(name)
}

func (n fileSystem) CleanedAbs(name string) (filesys.ConfirmedDir, string, error) {
	n.note(name, false)
	return n.FileSystem.CleanedAbs(name)
}

func (n fileSystem) Open(name string) (filesys.File, error) {
	n.note(name, false)
	return n.FileSystem.Open(name)
}

func (n fileSystem) Glob(pattern string) ([]string, error) {
	n.note(mount, true) // whatever is there may match
	return n.FileSystem.Glob(pattern)
}

func (n fileSystem) Walk(name string, walk filepath.WalkFunc) error {
	n.note(name, true)
	return n.FileSystem.Walk(name, walk)
}
