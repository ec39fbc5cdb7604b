package rego

import (
	"crypto/sha256"
	"sync"
)

// Memory holds what rules answered by a hash of all that they read: one rule, or all of them together.
// Policies depend on nothing but their input (see [Capabilities]): rules that read the same answer
// the same. It is safe for concurrent use.
type Memory[T Sized] struct {
	mutex sync.RWMutex
	known map[Key]T
	size  int
}

// Sized is about so many bytes.
type Sized interface{ Size() int }

// Key is a hash of what was read.
type Key [sha256.Size]byte

// maxMemory is about how many bytes are remembered. Beyond it everything is forgotten, so that
// what is judged cannot fill the memory; one answer may take a part of it.
const (
	maxMemory    = 8 << 20
	maxMemoryOne = maxMemory / 32
)

// Recall returns what is remembered under a key, and whether anything is.
func (m *Memory[T]) Recall(key Key) (T, bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	a, ok := m.known[key]
	return a, ok
}

// Remember remembers an answer, if it is not too large.
func (m *Memory[T]) Remember(key Key, a T) {
	size := a.Size()
	if size > maxMemoryOne {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.size += size; m.known == nil || m.size > maxMemory {
		m.known, m.size = map[Key]T{}, size
	}
	m.known[key] = a
}
