//go:build !unix || solaris || illumos || aix

package files

import "os"

// lock does nothing: Windows removes no file that is open.
func lock(*os.File) bool { return true }

// finish renames a file that is written. Windows renames none that is open.
func finish(temp *os.File, name string) error {
	if err := temp.Close(); err != nil {
		return err
	}
	return os.Rename(temp.Name(), name)
}
