package cores

import (
	"iter"
	"sync"
)

// Once is what was made for each key, however many asked for it at the same time. The zero Once is empty and ready
// to use. It is safe for concurrent use: who asks for what is being made waits for it.
type Once[K comparable, V any] struct {
	// Most is how many are kept. Beyond it they are made anew; zero is no limit.
	Most int

	mu    sync.Mutex
	known map[K]*known[V]
}

// known is what was made for one key.
type known[V any] struct {
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

func (o *Once[K, V]) at(key K) *known[V] {
	o.mu.Lock()
	defer o.mu.Unlock()
	k := o.known[key]
	if k == nil {
		if o.known == nil || o.Most > 0 && len(o.known) >= o.Most {
			o.known = map[K]*known[V]{}
		}
		k = &known[V]{}
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
