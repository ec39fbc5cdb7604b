// Package cores does what is independent on all cores. What comes of it does not depend on how many
// there are, nor on which of them is first.
package cores

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for 0 to n-1, begun in this order. After an error no more are begun; it returns the one
// with the lowest number, and panics as the one with the lowest number does.
func Each(n int, do func(i int) error) error {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 {
		for i := range n {
			if err := do(i); err != nil {
				return err
			}
		}
		return nil
	}
	var next atomic.Int64
	var group sync.WaitGroup
	first := failure{at: n}
	for range workers {
		group.Go(func() {
			for i := int(next.Add(1) - 1); i < n && first.try(i, do); i = int(next.Add(1) - 1) {
			}
		})
	}
	group.Wait()
	if first.panicked != nil {
		panic(first.panicked)
	}
	return first.err
}

// All calls do for 0 to n-1, begun in this order.
func All(n int, do func(i int)) {
	_ = Each(n, func(i int) error { // none fails
		do(i)
		return nil
	})
}

// failure is the one with the lowest number.
type failure struct {
	mu       sync.Mutex
	at       int
	err      error
	panicked any
}

// try calls do, and reports whether nothing has failed.
func (f *failure) try(i int, do func(i int) error) bool {
	var err error
	func() {
		defer func() { f.note(i, err, recover()) }()
		err = do(i)
	}()
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err == nil && f.panicked == nil
}

func (f *failure) note(i int, err error, panicked any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if (err != nil || panicked != nil) && i < f.at {
		f.at, f.err, f.panicked = i, err, panicked
	}
}
