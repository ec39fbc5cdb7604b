package cores

import (
	"slices"
	"sync"
	"testing"
)

// Each is made once for its key, however many ask; what panics is made again, and beyond the most all are.
func TestOnce(t *testing.T) {
	var e Once[string, int]
	var group sync.WaitGroup
	made := 0
	for range 8 {
		group.Go(func() {
			if got := e.Of("a", func() int { made++; return made }); got != 1 {
				t.Errorf("got %d, want 1", got)
			}
		})
	}
	group.Wait()
	func() {
		defer func() { _ = recover() }()
		e.Of("b", func() int { panic("b") })
	}()
	if got := e.Of("b", func() int { return 2 }); got != 2 {
		t.Errorf("after a panic: %d", got)
	}
	if got := slices.Sorted(e.Values()); !slices.Equal(got, []int{1, 2}) {
		t.Errorf("values %v", got)
	}
	e.Most = 2
	e.Of("c", func() int { return 3 })
	if got := e.Of("a", func() int { return 4 }); got != 4 {
		t.Errorf("beyond the most: %d", got)
	}
}
