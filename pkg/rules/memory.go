package rules

import (
	"crypto/sha256"
	"sync"
)

// memory holds what rules answered by a hash of all that they read: one rule, or all of them together.
// Policies depend on nothing but their input (see [Capabilities]): rules that read the same answer
// the same. It is safe for concurrent use.
type memory[T remembered] struct {
	mutex sync.RWMutex
	known map[memoryKey]T
	size  int
}

// remembered is about so many bytes.
type remembered interface{ size() int }

type memoryKey [sha256.Size]byte

// maxMemory is about how many bytes are remembered. Beyond it everything is forgotten, so that
// what is judged cannot fill the memory; one answer may take a part of it.
const (
	maxMemory    = 8 << 20
	maxMemoryOne = maxMemory / 32
)

// answerSize is about how many bytes an answer takes, and a finding without its texts.
const answerSize = 300

// answer is what a rule says of an input, or the class of a release.
type answer struct {
	class  Class
	report []report
	// open are the unknown fields that it reads, as indexes into those of the release.
	open []int
}

func (a answer) size() int { return answerSize + 8*len(a.open) + sizeOf(a.report) }

func sizeOf(all []report) (size int) {
	for _, r := range all {
		size += 2*answerSize + len(r.Message)
	}
	return size
}

func (m *memory[T]) recall(key memoryKey) (T, bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	a, ok := m.known[key]
	return a, ok
}

func (m *memory[T]) remember(key memoryKey, a T) {
	size := a.size()
	if size > maxMemoryOne {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.size += size; m.known == nil || m.size > maxMemory {
		m.known, m.size = map[memoryKey]T{}, size
	}
	m.known[key] = a
}
