package charts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// Library is where the charts of releases are. It is not safe for concurrent use.
type Library struct {
	// Dirs are folders with charts: archives, as helm pull writes them, and folders.
	Dirs []string
	// Rendered is a folder with what is rendered of releases; empty for none.
	Rendered string
	// Render renders a chart.
	Render func(Job, *Result) error

	held    map[string][]held // by name; nil until it is first asked
	results map[string]Result // by the job
}

// held is a chart in a folder.
type held struct {
	version *semver.Version
	dir     string // that was given
	file    string // in it: the archive, or the folder
}

// Limits of the folders.
const (
	maxFiles = 50_000
	maxChart = 20 << 20 // bytes of one chart, as an archive or a folder
)

// Check returns an error if a folder is not there.
func (l *Library) Check() error {
	for flag, dirs := range map[string][]string{"--charts": l.Dirs, "--rendered": {l.Rendered}} {
		for _, dir := range dirs {
			if info, err := os.Stat(dir); dir != "" && err != nil {
				return fmt.Errorf("%s: %w", flag, err)
			} else if dir != "" && !info.IsDir() {
				return fmt.Errorf("%s %s: want a folder", flag, dir)
			}
		}
	}
	return nil
}

// fill finds the charts of the folders. A chart in another one's charts/ is part of that.
func (l *Library) fill() error {
	if l.held != nil {
		return nil
	}
	l.held = map[string][]held{}
	for _, dir := range l.Dirs {
		root, err := os.OpenRoot(dir) // no link leads out of it
		if err != nil {
			return err
		}
		err = l.walk(dir, root.FS())
		_ = root.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (l *Library) walk(dir string, folder fs.FS) error {
	files := 0
	return fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil // what cannot be read holds no chart for us
		}
		if files++; files > maxFiles {
			return fmt.Errorf("--charts %s: more than %d files", dir, maxFiles)
		}
		switch {
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		case d.IsDir():
			text, err := readFile(folder, path.Join(name, chartFile), maxMetadata)
			if err != nil {
				return nil
			}
			l.add(readMetadata(text), held{dir: dir, file: name})
			return fs.SkipDir // what is below belongs to it
		case d.Type().IsRegular() && strings.HasSuffix(name, ".tgz"):
			l.add(metadataIn(folder, name), held{dir: dir, file: name})
		}
		return nil
	})
}

func (l *Library) add(m metadata, h held) {
	var err error
	if h.version, err = semver.NewVersion(m.Version); err == nil && m.Name != "" {
		l.held[m.Name] = append(l.held[m.Name], h)
	}
}

// find returns the chart of a name whose version a text wants: a version, a range, or nothing for
// the newest.
func (l *Library) find(name, want string) (held, error) {
	if err := l.fill(); err != nil {
		return held{}, err
	}
	all := l.held[name]
	if len(all) == 0 {
		return held{}, fmt.Errorf("chart %s is not in %s", name, l.where())
	}
	if want == "" {
		want = "*"
	}
	fits := func(held) bool { return false }
	if exact, err := semver.NewVersion(want); err == nil {
		fits = func(h held) bool { return h.version.Equal(exact) }
	} else if constraint, err := semver.NewConstraint(want); err == nil {
		fits = func(h held) bool { return constraint.Check(h.version) }
	}
	all = slices.DeleteFunc(slices.Clone(all), func(h held) bool { return !fits(h) })
	if len(all) == 0 {
		return held{}, fmt.Errorf("chart %s is in %s, but not in version %s", name, l.where(), want)
	}
	return slices.MaxFunc(all, func(a, b held) int { return a.version.Compare(b.version) }), nil
}

func (l *Library) where() string {
	if len(l.Dirs) == 0 {
		return "the tree"
	}
	return strings.Join(l.Dirs, ", ")
}

// errTooLarge is the error of a chart that is not read.
var errTooLarge = errors.New("it is larger than 20 MiB")
