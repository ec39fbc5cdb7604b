//go:build flux

package flux

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"
)

// measured are the pauses between actions, by what was forecast.
type measured struct {
	sync.Mutex
	by map[time.Duration][]pause
}

type pause struct {
	took time.Duration
	of   string // the run
}

func (m *measured) add(want, got time.Duration, of string) {
	m.Lock()
	defer m.Unlock()
	m.by[want] = append(m.by[want], pause{got, of})
}

// judge compares the medians with what was forecast. What the controller does beside waiting, and
// how busy the machine is, shows in the pauses that are forecast to be none.
func (m *measured) judge(t *testing.T) {
	t.Helper()
	overhead := median(m.by[0]).took + time.Second
	if overhead > 3*time.Second {
		t.Logf("the machine is too busy to compare pauses: where none is forecast, the median is %v", overhead-time.Second)
		return
	}
	for _, want := range slices.Sorted(maps.Keys(m.by)) {
		middle := median(m.by[want])
		t.Logf("forecast %v: %d pauses, median %v", want, len(m.by[want]), middle.took)
		if middle.took > want+want/10+overhead {
			t.Errorf("the median of the pauses is %v (%s), forecast %v", middle.took, middle.of, want)
		}
	}
}

func median(all []pause) pause {
	if len(all) == 0 {
		return pause{}
	}
	slices.SortFunc(all, func(a, b pause) int { return int(a.took - b.took) })
	return all[len(all)/2]
}
