package tree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Single returns the tree of one file of the disk, under the name that it was
// given. Its path is relative to its folder or, if it is a template of a Helm
// chart, to the chart's.
func Single(name string) (*Tree, error) {
	if err := ends(name); err != nil {
		return nil, err
	}
	return single(name, func(chart string) bool {
		_, err := os.Stat(chart)
		return err == nil
	}, func() ([]byte, error) {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		data, err := readAll(name, file)
		if err != nil {
			return nil, err
		}
		return Committed(name, data)
	})
}

// Stream opens one file of the disk to be read once, whatever its size.
func Stream(name string) (io.ReadCloser, error) {
	if err := ends(name); err != nil {
		return nil, err
	}
	return os.Open(name)
}

// ends returns an error about a name that is no file, or of a file that may never end.
func ends(name string) error {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("is a folder")}
	case !info.Mode().IsRegular() && !isStream(name, info.Mode()):
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file: it may never end")}
	}
	return nil
}

// isStream reports whether a file is what a shell puts in place of a command's output,
// such as /dev/fd/63. Other pipes may wait for ever.
func isStream(name string, mode fs.FileMode) bool {
	dir := filepath.Dir(name)
	return mode&fs.ModeNamedPipe != 0 && (dir == "/dev" || dir == "/dev/fd" || dir == "/proc/self/fd")
}

// single returns the tree of one file. exists reports whether a Chart.yaml is
// there.
func single(name string, exists func(name string) bool, read func() ([]byte, error)) (*Tree, error) {
	t := &Tree{place: place{root: name, base: filepath.Dir(name)}}
	if chart := chartAbove(name, exists); chart != "" {
		t.base = chart
		t.beside = map[string]bool{"Chart.yaml": true}
	}
	var err error
	if t.abs, err = filepath.Abs(t.base); err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(t.base, name)
	if err != nil {
		return nil, err
	}
	rel = filepath.ToSlash(rel)
	t.files = map[string]*File{rel: {name: name, origin: rel, read: read}}
	t.arrange()
	return t, nil
}

// chartAbove returns the folder of the Helm chart that a file is a template
// of: one with a Chart.yaml beside a folder templates above the file. It
// returns "" if there is none in the name as it was given.
func chartAbove(name string, exists func(name string) bool) string {
	for dir := filepath.Dir(name); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		chart := filepath.Dir(dir)
		if filepath.Base(dir) == "templates" && exists(filepath.Join(chart, "Chart.yaml")) {
			return chart
		}
	}
	return ""
}

// Bytes returns the tree of one file with a known content, as standard input
// is. Its name and its path are the same.
func Bytes(name string, data []byte) *Tree {
	t := &Tree{place: place{root: name}, files: map[string]*File{name: fixed(name, name, data)}}
	t.arrange()
	return t
}
