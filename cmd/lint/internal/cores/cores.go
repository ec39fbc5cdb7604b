// Package cores does what is independent on all cores. What comes of it does not depend on how many
// there are, nor on which of them is first.
package cores

import (
	"iter"
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

// Once is what was made for each key, however many asked for it at the same time. The zero Once is empty and ready
// to use. It is safe for concurrent use: who asks for what is being made waits for it.
type Once[K comparable, V any] struct {
	// Most is how many are kept. Beyond it they are made anew; zero is no limit.
	Most int

	mu    sync.Mutex
	known map[K]*onceValue[V]
}

// onceValue is what was made for one key.
type onceValue[V any] struct {
	mu    sync.Mutex
	made  bool
	value V
}

// Of returns what was made for a key, or makes it. What makes it must not ask for the same key. If it panics, nothing
// was made.
func (o *Once[K, V]) Of(key K, make func() V) V {
	k := o.at(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.made {
		k.value = make()
		k.made = true
	}
	return k.value
}

func (o *Once[K, V]) at(key K) *onceValue[V] {
	o.mu.Lock()
	defer o.mu.Unlock()
	k := o.known[key]
	if k == nil {
		if o.known == nil || o.Most > 0 && len(o.known) >= o.Most {
			o.known = map[K]*onceValue[V]{}
		}
		k = &onceValue[V]{}
		o.known[key] = k
	}
	return k
}

// Values returns what was made, in no order.
func (o *Once[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		o.mu.Lock()
		defer o.mu.Unlock()
		for _, k := range o.known {
			if k.made && !yield(k.value) {
				return
			}
		}
	}
}
