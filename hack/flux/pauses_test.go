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
		usual, limit := median(m.by[want]), want+want/10+overhead
		t.Logf("forecast %v: %d pauses, median %v", want, len(m.by[want]), usual.took)
		if len(m.by[want]) < enough {
			usual = m.by[want][0] // the shortest, now that they are sorted
		}
		if len(m.by[want]) < few {
			limit += want
		}
		if usual.took > limit {
			t.Errorf("the pauses take %v (%s), forecast %v", usual.took, usual.of, want)
		}
	}
}

const (
	// enough is how many pauses have a median that a busy moment does not decide.
	enough = 20
	// few are pauses that a busy moment may hold up altogether.
	few = 3
)

func median(all []pause) pause {
	if len(all) == 0 {
		return pause{}
	}
	slices.SortFunc(all, func(a, b pause) int { return int(a.took - b.took) })
	return all[len(all)/2]
}
