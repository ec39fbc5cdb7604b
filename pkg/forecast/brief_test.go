package forecast

import (
	"testing"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

func TestBrief(t *testing.T) {
	after := func(d time.Duration) release.Duration { return release.Duration{Duration: d} }
	for want, o := range map[string]Outcome{
		"Stalled after 5m; stays so until someone acts": {End: Stalled, NeedsHuman: true, After: after(5 * time.Minute)},
		"Ready after 15m":                    {End: Ready, After: after(15 * time.Minute)},
		"Ready; stays so until someone acts": {End: Ready, NeedsHuman: true},
		"tried again every 5m, forever, recovers once the cause is gone":        {End: Retrying, Reason: "interval", Every: after(5 * time.Minute)},
		"tried again forever, up to 15m apart, recovers once the cause is gone": {End: Retrying, Reason: "backoff", Every: after(15 * time.Minute)},
		"tried again forever, up to 15m apart; stays so until someone acts":     {End: Error, NeedsHuman: true, Every: after(15 * time.Minute)},
		"looked at again every 30s, forever, recovers once the cause is gone":   {End: Waiting, Every: after(30 * time.Second)},
		"not ready and not retried; stays so until someone acts":                {End: Idle, NeedsHuman: true},
		"the HelmRelease is gone": {End: Deleted},
	} {
		if got := o.Brief(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
