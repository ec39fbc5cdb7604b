package cores

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// On any number of cores each is done once, and the first of several failures counts, also if it is the last to fail.
func TestEach(t *testing.T) { synctest.Test(t, each) } // where a sleep ends when nothing else goes on

func each(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, cores := range []int{1, 2, 4} {
		runtime.GOMAXPROCS(cores)
		var mu sync.Mutex
		var done []int
		each := func(fails ...int) error {
			done = nil
			return Each(20, func(i int) error {
				mu.Lock()
				done = append(done, i)
				mu.Unlock()
				if at := slices.Index(fails, i); at >= 0 {
					time.Sleep(time.Duration(len(fails)-at) * time.Millisecond) // the first is last
					return fmt.Errorf("%d fails", i)
				}
				return nil
			})
		}
		if err := each(); err != nil || len(done) != 20 || len(slices.Compact(slices.Sorted(slices.Values(done)))) != 20 {
			t.Errorf("%d cores: %v, %v", cores, done, err)
		}
		if err := each(3, 4, 5); err == nil || err.Error() != "3 fails" {
			t.Errorf("%d cores: %v, %v", cores, done, err)
		}
	}
}

// What panics, panics for who has it done: others recover it there.
func TestEachPanics(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	why := errors.New("changed")
	defer func() {
		if got := recover(); got != why {
			t.Errorf("got %v, want %v", got, why)
		}
	}()
	All(4, func(i int) {
		if i == 1 {
			panic(why)
		}
	})
	t.Error("nothing panics")
}
