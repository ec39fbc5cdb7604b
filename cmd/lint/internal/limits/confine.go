package limits

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"time"
)

// Confine keeps a process that only computes within a size of memory. Beyond it the
// process ends.
func Confine(memory Bytes, tell io.Writer) {
	debug.SetMemoryLimit(int64(memory) / 8 * 7)
	setCeiling(3 * int64(memory))
	go func() {
		for range time.Tick(look) {
			if held() > int64(memory) {
				fmt.Fprintf(tell, "they need more than %s of memory: --max-memory allows more\n", memory)
				os.Exit(failure)
			}
		}
	}()
}
