package trees

import (
	"os"
	"path/filepath"
)

// Write writes the files to a folder.
func (t Tree) Write(dir string) error {
	for name, text := range t {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
