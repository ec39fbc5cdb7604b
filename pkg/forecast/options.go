package forecast

import (
	"cmp"
	"time"
)

// Options are the times and limits of a simulation. The zero value forecasts
// real time.
type Options struct {
	// FailAfter is how long an install or upgrade takes before it fails for
	// lack of health; zero means the effective timeout.
	FailAfter time.Duration
	// SucceedAfter is how long an action takes to succeed; zero means 30s.
	SucceedAfter time.Duration
	// Outage is how long the outage lasts in scenarios with one; zero means 10m.
	Outage time.Duration
	// Instant makes actions take no time and leaves out the controller's wait
	// for its own cache: only intervals and backoff remain.
	Instant bool
	// MaxSteps limits the steps that are returned of a run that goes on for
	// ever; zero means 12, negative no limit. The outcome does not depend on it.
	MaxSteps int
	// Revive adds to runs that need a human what revives the release.
	Revive bool
	// Rounds ends the run after that many reconciles of one controller process;
	// zero means when it is clear that it goes on for ever.
	Rounds int
}

func (o Options) maxSteps() int { return cmp.Or(o.MaxSteps, 12) }

func (o Options) outage() time.Duration { return cmp.Or(o.Outage, 10*time.Minute) }

func (o Options) succeedAfter() time.Duration { return cmp.Or(o.SucceedAfter, 30*time.Second) }
