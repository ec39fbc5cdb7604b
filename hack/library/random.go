package library

import "math/rand/v2"

// random makes choices.
type random struct{ *rand.Rand }

func newRandom(seed uint64) random { return random{rand.New(rand.NewPCG(seed, 17))} }

// in reports true once in n times.
func (r random) in(n int) bool { return r.IntN(n) == 0 }

func pick[T any](r random, from ...T) T { return from[r.IntN(len(from))] }
