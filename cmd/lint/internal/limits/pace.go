package limits

import (
	"runtime/debug"
	"runtime/metrics"
)

const (
	// room is how much the heap may always grow before it is collected.
	room = 24 << 20
	// large is what a heap has in use that is not meant to be small any more.
	large = 96 << 20
)

// pace is how much the heap may grow before it is collected, in percent of what is in use.
// A run is short: as long as it holds little, it is not worth to collect often. A tree of
// many plain files is to need little memory; what holds more than these is to be quick.
func pace(live int64) int {
	if live > large {
		return 100
	}
	return int(min(400, max(60, room*100/max(live, 1))))
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
