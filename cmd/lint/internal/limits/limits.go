package limits

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Limits are what a command may use.
type Limits struct {
	Memory Bytes         // of the process; templates have a quarter of it in another one
	Time   time.Duration // of the whole command
}

// Default returns the limits that hold unless others are given.
func Default() Limits { return Limits{Memory: 2 << 30, Time: 5 * time.Minute} }

// Step returns how long one step may take that nothing can stop, such as one build:
// a tenth of the whole.
func (l Limits) Step() time.Duration { return l.Time / 10 }

// Share returns how much memory a process beside this one may use: a quarter.
func (l Limits) Share() Bytes { return l.Memory / 4 }

// minMemory is what reading any tree needs.
const minMemory = 128 << 20

// Check refuses limits under which nothing can run.
func (l Limits) Check() error {
	if l.Time <= 0 {
		return fmt.Errorf("--timeout %s: want a duration such as 10m", l.Time)
	}
	if l.Memory < minMemory {
		return fmt.Errorf("--max-memory %s: want at least %s", l.Memory, Bytes(minMemory))
	}
	return nil
}

// Bytes is a number of bytes, written as 2GiB.
type Bytes int64

// Plain writes a duration without trailing zeros: 5m, not 5m0s.
func Plain(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}

// units of Bytes, from the smallest. The B may be left out, as in Kubernetes.
var units = []string{"KiB", "MiB", "GiB"}

func (b Bytes) String() string {
	n, unit := int64(b), "B"
	for _, larger := range units {
		if n == 0 || n%1024 != 0 {
			break
		}
		n, unit = n/1024, larger
	}
	return strconv.FormatInt(n, 10) + unit
}

// Set reads a size, as a flag wants it.
func (b *Bytes) Set(text string) error {
	factor := int64(1)
	for _, unit := range units {
		factor *= 1024
		number, ok := strings.CutSuffix(strings.TrimSuffix(text, "B"), strings.TrimSuffix(unit, "B"))
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(number, 10, 32)
		if err != nil || n <= 0 {
			break
		}
		*b = Bytes(n * factor)
		return nil
	}
	return fmt.Errorf("want a size such as 512MiB or 2GiB")
}

// Type names the type of flags.
func (*Bytes) Type() string { return "bytes" }
