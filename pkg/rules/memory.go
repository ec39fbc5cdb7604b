package rules

import (
	"crypto/sha256"
	"sync"
)

// memory holds what rules answered, by the rule and a hash of all that it reads. Policies
// depend on nothing but their input (see [Capabilities]): a rule that reads the same answers
// the same. It is safe for concurrent use.
type memory struct {
	mutex sync.RWMutex
	known map[memoryKey]answer
	size  int
}

type memoryKey [sha256.Size]byte

// maxMemory is about how many bytes are remembered. Beyond it everything is forgotten, so that
// what is judged cannot fill the memory; one answer may take a part of it.
const (
	maxMemory    = 16 << 20
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

func (a answer) size() int {
	size := answerSize
	for _, r := range a.report {
		size += 2*answerSize + len(r.Message)
	}
	return size
}

func (m *memory) recall(key memoryKey) (answer, bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	a, ok := m.known[key]
	return a, ok
}

func (m *memory) remember(key memoryKey, a answer) {
	size := a.size()
	if size > maxMemoryOne {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.size += size; m.known == nil || m.size > maxMemory {
		m.known, m.size = map[memoryKey]answer{}, size
	}
	m.known[key] = a
}
