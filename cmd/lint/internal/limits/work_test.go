package limits

import (
	"testing"
	"time"
)

// A step takes the time that it computes: no more than the process has, and no more than the clock says.
func TestStepTime(t *testing.T) {
	var w Work
	if got := w.stepTime(); got != 0 {
		t.Errorf("without a step: %s", got)
	}
	start, used := time.Now(), cpuTime()
	defer w.Step("computing")()
	for begun := cpuTime(); cpuTime() == begun; { // until it has computed something
	}
	got := w.stepTime()
	if computed, taken := cpuTime()-used, time.Since(start); got <= 0 || got > computed || got > taken {
		t.Errorf("%s of %s computed in %s", got, computed, taken)
	}
}
