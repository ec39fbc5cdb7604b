package terminal

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestColored(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, false},
		{map[string]string{"FORCE_COLOR": "1"}, true},
		{map[string]string{"FORCE_COLOR": "0"}, false},
		{map[string]string{"CLICOLOR_FORCE": "1"}, true},
		{map[string]string{"CLICOLOR_FORCE": "0"}, false},
		{map[string]string{"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, false},
		{map[string]string{"FORCE_COLOR": "1", "TERM": "dumb"}, true},
		{map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1"}, false},
	} {
		if got := Colored(&bytes.Buffer{}, getenv(tc.env)); got != tc.want {
			t.Errorf("%v: colours %t, want %t", tc.env, got, tc.want)
		}
	}
}

func TestUnicode(t *testing.T) {
	for _, tc := range []struct {
		env  map[string]string
		want bool
	}{
		{map[string]string{}, false},
		{map[string]string{"LANG": "C"}, false},
		{map[string]string{"LANG": "POSIX"}, false},
		{map[string]string{"LANG": "de_DE.ISO-8859-1"}, false},
		{map[string]string{"LANG": "C.UTF-8"}, true},
		{map[string]string{"LANG": "de_DE.utf8"}, true},
		{map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "C"}, false},
		{map[string]string{"LANG": "C", "LC_CTYPE": "en_US.UTF-8"}, true},
	} {
		if got := Unicode(getenv(tc.env)); got != tc.want {
			t.Errorf("%v: Unicode %t, want %t", tc.env, got, tc.want)
		}
	}
}

// A file is no terminal and has no width.
func TestFile(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() // nothing is written
	w, h := Size(file)
	width, height := Size(&bytes.Buffer{})
	if isTerminal(file) || isTerminal(&bytes.Buffer{}) || w+h+width+height != 0 {
		t.Error("a file and a buffer are taken for terminals")
	}
}

func getenv(env map[string]string) func(string) string {
	return func(key string) string { return env[key] }
}
