// Package deep makes room on the stack of a goroutine for calls that go deep, as evaluating
// rules does.
//
// A stack that is too small is doubled, again and again: each time what is on it is copied,
// and every function on it looked up in tables of the program, which a short run would not
// read otherwise. A stack that is grown while little is on it spares both.
package deep

// room is as much as evaluating the built-in rules has been seen to take.
const room = 192 << 10

// init makes room for main before other packages are initialised: Go does that in the order
// of their names, and this one needs no other.
func init() { Reserve() }

// Reserve makes room on the stack of the goroutine that calls it.
func Reserve() { reserve(false) }

// reserve has a large frame, for which there is room as soon as it is called. Nothing is
// written there.
//
//go:noinline
func reserve(use bool) (last byte) {
	if use {
		var a, b [room / 2]byte
		fill(a[:])
		fill(b[:])
		last = a[0] + b[0]
	}
	return last
}

//go:noinline
func fill(b []byte) { clear(b) }
