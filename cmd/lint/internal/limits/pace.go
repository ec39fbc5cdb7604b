package limits

import (
	"runtime/debug"
	"runtime/metrics"
)

// room is how much the heap may always grow before it is collected.
const room = 24 << 20

// pace is how much the heap may grow before it is collected, in percent of what is in use.
// A run is short: as long as it holds little, it is not worth to collect often.
func pace(live int64) int {
	return int(min(400, max(100, room*100/max(live, 1))))
}

// live returns the memory that was in use when the heap was last collected, in bytes.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// collector sets the pace of Go's collector, unless GOGC does.
type collector struct{ percent int }

func (c *collector) follow(live int64) {
	if percent := pace(live); percent != c.percent && c.percent != asked {
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
