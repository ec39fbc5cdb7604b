package limits

import "runtime/debug"

// pace is how much the heap may grow before it is collected, in percent of what is in use.
// A run is short: as long as it holds little, it is not worth to collect often.
func pace(held int64) int {
	switch {
	case held < 96<<20:
		return 400
	case held < 192<<20:
		return 200
	}
	return 100
}

// collector sets the pace of Go's collector, unless GOGC does.
type collector struct{ percent int }

func (c *collector) follow(held int64) {
	if percent := pace(held); percent != c.percent && c.percent != asked {
		c.percent = percent
		debug.SetGCPercent(percent)
	}
}

// asked is the percentage of a collector whose pace the user has set.
const asked = -1

func newCollector(gogc string) collector {
	if gogc != "" {
		return collector{asked}
	}
	return collector{}
}
