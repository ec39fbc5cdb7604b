package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// holds fails unless a folder has exactly these files, each with its content.
func holds(t *testing.T, dir string, want map[string]string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(want) {
		t.Errorf("%v, %v; want %v", entries, err, want)
	}
	for name, text := range want {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != text {
			t.Errorf("%s holds %q, %v; want %q", name, data, err, text)
		}
	}
}

// A file keeps its mode, another name of it keeps the old content, and what a killed run
// has left is removed.
func TestReplace(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.yaml")
	write(t, name, "old", 0o640)
	if err := os.Link(name, filepath.Join(dir, "other.yaml")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, ".a.yaml.flux-remedy-tmp"), "left", 0o600)
	if err := Replace(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"a.yaml": "new", "other.yaml": "old"})
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// What is refused leaves all as it was.
func TestReplaceRefused(t *testing.T) {
	for want, prepare := range map[string]func(dir, temp string) error{
		"read-only":           func(dir, _ string) error { return os.Chmod(filepath.Join(dir, "a.yaml"), 0o444) },
		"is in the way":       func(dir, temp string) error { return os.Symlink(filepath.Join(dir, "victim"), temp) },
		"another run of flux": busy,
	} {
		t.Run(want, func(t *testing.T) {
			dir := t.TempDir()
			name, victim := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "victim")
			write(t, name, "old", 0o644)
			write(t, victim, "safe", 0o644)
			if err := prepare(dir, filepath.Join(dir, ".a.yaml.flux-remedy-tmp")); err != nil {
				t.Fatal(err)
			}
			if err := Replace(name, []byte("new")); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want %q", err, want)
			}
			if err := Write(name, []byte("new")); err == nil && want != "is in the way" {
				t.Error("written all the same")
			}
			if data, _ := os.ReadFile(victim); string(data) != "safe" {
				t.Errorf("the other file holds %q", data)
			}
		})
	}
}

// busy leaves a file open as a run that is writing does, until the test process ends.
func busy(_, temp string) error {
	file, err := os.OpenFile(temp, os.O_CREATE|os.O_WRONLY, 0o600)
	if err == nil && !lock(file) {
		err = errBusy
	}
	held = append(held, file)
	return err
}

// held keeps files from being closed by the collector.
var held []*os.File

// A link is followed, a pipe is written to, and a new file is made.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	write(t, target, "old", 0o600)
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{link, filepath.Join(dir, "new"), os.DevNull} {
		if err := Write(name, []byte("new")); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	holds(t, dir, map[string]string{"target": "new", "link": "new", "new": "new"})
}

// A link is replaced by a file, with the mode of a new one, and what it led to stays.
func TestReplaceLink(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "link")
	write(t, filepath.Join(dir, "target"), "old", 0o600)
	if err := os.Symlink("target", name); err != nil {
		t.Fatal(err)
	}
	if err := Replace(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, dir, map[string]string{"link": "new", "target": "old"})
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
