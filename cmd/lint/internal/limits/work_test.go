package limits

import (
	"testing"
	"testing/synctest"
	"time"
)

// A step takes the time that it computes: not while it waits for others, and never more than the clock says. The clock
// stands still while the test computes.
func TestStepTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Work
		if got := w.stepTime(); got != 0 {
			t.Errorf("without a step: %s", got)
		}
		done := w.Step("waiting")
		time.Sleep(24 * time.Hour)
		if got := w.stepTime(); got > time.Hour {
			t.Errorf("a step that waits has taken %s", got)
		}
		done()
		defer w.Step("computing")()
		for used := cpuTime(); cpuTime()-used < 10*time.Millisecond; {
		}
		if got := w.stepTime(); got != 0 {
			t.Errorf("a step that computes has taken %s of no time", got)
		}
		time.Sleep(24 * time.Hour)
		if got := w.stepTime(); got < 10*time.Millisecond {
			t.Errorf("a step that has computed 10ms has taken %s", got)
		}
	})
}

// Steps run side by side: all are named, and when one ends the time of the others begins anew, which may have waited
// for it.
func TestStepsSideBySide(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w Work
		first := w.Step("building a")
		for used := cpuTime(); cpuTime()-used < 10*time.Millisecond; {
		}
		time.Sleep(time.Hour)
		defer w.Step("building b")()
		if got := w.while(); got != " while building a and building b" {
			t.Errorf("got %q", got)
		}
		if got := w.stepTime(); got < 10*time.Millisecond {
			t.Errorf("a step that began while another one computes has reset its time to %s", got)
		}
		first()
		if got := w.stepTime(); got != 0 || w.while() != " while building b" {
			t.Errorf("a step has taken %s%s", got, w.while())
		}
	})
}
