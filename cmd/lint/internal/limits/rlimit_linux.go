package limits

import "syscall"

// setCeiling has the kernel refuse memory beyond a size. The process then crashes: it
// is for what is asked for at once, before anything else could notice.
func setCeiling(size int64) {
	var now syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_DATA, &now) != nil {
		return
	}
	now.Cur = min(uint64(size), now.Max)
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &now)
}
