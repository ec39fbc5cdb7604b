package limits

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"runtime/debug"
	"runtime/metrics"
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

// held returns how much memory the process has from the system. It counts what is
// asked for, before it is written to.
func held() int64 {
	samples := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(samples)
	return int64(samples[0].Value.Uint64() - samples[1].Value.Uint64())
}

// live returns the memory that was in use when the heap was last collected, in bytes.
func live() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Confine keeps a process that only computes within a size of memory. Beyond it the
// process ends.
func Confine(memory Bytes, tell io.Writer) {
	debug.SetMemoryLimit(int64(memory) / 8 * 7)
	setCeiling(3 * int64(memory))
	go func() {
		for range time.Tick(look) {
			if held() > int64(memory) {
				fmt.Fprintf(tell, "they need more than %s of memory: --max-memory allows more\n", memory)
				os.Exit(failure)
			}
		}
	}()
}

// Seal takes from the process what no command needs, so that nothing in a tree
// can ask for it: kustomize would fetch what a kustomization.yaml names by HTTP
// or with git. What is not in the tree makes its build fail.
func Seal() {
	http.DefaultTransport = noTransport{}
	http.DefaultClient = &http.Client{Transport: noTransport{}}
	_ = os.Setenv("PATH", "") // no program is found by its name
}

// noTransport refuses every request.
type noTransport struct{}

func (noTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, fmt.Errorf("%s is not in the tree, and nothing is fetched", r.URL.Redacted())
}

// Mute sends what libraries write to standard error to nowhere: kustomize notes
// there which fields are deprecated. What the program says goes to its streams,
// and the runtime reports a crash past this variable.
func Mute() {
	if null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0); err == nil {
		os.Stderr = null
		log.SetOutput(null) // which began with the former
	}
}
