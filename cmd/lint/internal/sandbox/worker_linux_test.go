package sandbox

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
)

// A process that the system does not let compute has not used its time.
func TestWorkerWaits(t *testing.T) {
	w := &Worker{Memory: func() limits.Bytes { return 128 << 20 }, Time: 50 * time.Millisecond}
	job := Job{Templates: []string{"kind: << inputs.name >>"}, Inputs: []any{map[string]any{"name": "red"}}}
	for range 2 {
		if failures := strings.Join(w.Render(job).Failures, " "); failures != "" {
			t.Fatal(failures)
		}
		process := w.child.cmd.Process
		if err := process.Signal(syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(4*w.Time, func() { _ = process.Signal(syscall.SIGCONT) })
	}
}
