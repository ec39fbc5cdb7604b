//go:build unix && !solaris && !illumos && !aix

package files

import (
	"errors"
	"os"
	"syscall"
)

// lock locks a file until it is closed, and reports whether it could.
func lock(file *os.File) bool {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	return err == nil || errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.ENOSYS) // as on some network disks
}

// finish renames a file that is written, while it is locked.
func finish(temp *os.File, name string) error {
	if err := os.Rename(temp.Name(), name); err != nil {
		return err
	}
	return temp.Close()
}
