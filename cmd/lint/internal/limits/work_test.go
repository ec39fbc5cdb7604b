package limits

import (
	"testing"
	"time"
)

// A step takes the time that it computes: not while it waits for others, and never more than the clock says.
func TestStepTime(t *testing.T) {
	var w Work
	if got := w.stepTime(); got != 0 {
		t.Errorf("without a step: %s", got)
	}
	done := w.Step("waiting")
	time.Sleep(200 * time.Millisecond)
	if got := w.stepTime(); got > 100*time.Millisecond {
		t.Errorf("a step that waits has taken %s", got)
	}
	done()
	defer w.Step("computing")()
	start := time.Now()
	for used := cpuTime(); cpuTime()-used < 100*time.Millisecond; {
	}
	if got := w.stepTime(); got < 90*time.Millisecond || got > time.Since(start) {
		t.Errorf("a step that computes has taken %s of %s", got, time.Since(start))
	}
}
