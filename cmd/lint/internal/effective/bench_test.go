package effective

import "testing"

// BenchmarkLoad reads the example fleet, builds what its two clusters apply and works out
// their releases. Nothing is kept from one round to the next.
func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if tree := load(b, "../../../../testdata/demo", Options{}); len(tree.Releases) == 0 {
			b.Fatal("no releases")
		}
	}
}
