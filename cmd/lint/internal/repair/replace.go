package repair

import (
	"errors"
	"os"
	"path/filepath"
)

// Replace writes a file beside the one it replaces and renames it, so that the
// old or the new content is there whenever the power goes.
func Replace(name string, data []byte, mode os.FileMode) error {
	dir := filepath.Dir(name)
	temp, err := os.CreateTemp(dir, "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	_, err = temp.Write(data)
	err = errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return nil
}
