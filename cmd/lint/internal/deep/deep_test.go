package deep

import (
	"runtime/metrics"
	"testing"
)

// stacks returns the bytes that stacks of goroutines have.
func stacks() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func TestReserve(t *testing.T) {
	done, end := make(chan bool), make(chan bool)
	before := stacks()
	go func() {
		Reserve()
		done <- true
		<-end
	}()
	<-done
	if grown := stacks() - before; grown < room {
		t.Errorf("stacks have grown by %d bytes, want %d", grown, room)
	}
	close(end)
	reserve(true) // what has a frame that large can be called, too
}
