package tree

import (
	"os"
	"path"
	"path/filepath"
	"sync"
)

// folders opens files below a folder of the disk. It keeps the folder of the last one open:
// most files are read beside each other. No symbolic link leads it out.
type folders struct {
	abs string

	mu   sync.Mutex
	dir  string // of root
	root *os.Root
}

func (f *folders) open(name string) (*os.File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if dir := path.Dir(name); f.root == nil || f.dir != dir {
		if f.root != nil {
			_ = f.root.Close() // it was only read
		}
		f.root = nil
		root, err := openFolder(f.abs, dir)
		if err != nil {
			return nil, err
		}
		f.dir, f.root = dir, root
	}
	return f.root.Open(path.Base(name))
}

// openFolder opens a folder below another one.
func openFolder(abs, dir string) (*os.Root, error) {
	top, err := os.OpenRoot(abs)
	if err != nil || dir == "." {
		return top, err
	}
	defer top.Close()
	return top.OpenRoot(filepath.FromSlash(dir))
}
