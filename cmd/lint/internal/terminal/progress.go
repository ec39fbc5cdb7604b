package terminal

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Progress says what a long run is busy with, in one line of a terminal that is
// rewritten, and removed in the end. The nil Progress says nothing.
type Progress struct {
	out   io.Writer
	width int
	end   chan struct{}
	ended sync.WaitGroup

	mu   sync.Mutex
	what string
}

// StartProgress starts to say what is being done, if w is a terminal that
// somebody may watch; else it returns nil.
func StartProgress(w io.Writer, what string) *Progress {
	file, _ := fileOf(w)
	if !isTerminal(w) || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "" {
		return nil
	}
	width, _ := Size(w)
	return newProgress(file, width, what)
}

func newProgress(w io.Writer, width int, what string) *Progress {
	p := &Progress{out: w, width: width, end: make(chan struct{}), what: what}
	p.ended.Go(p.run)
	return p
}

// Show replaces what is being done.
func (p *Progress) Show(what string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.what = what
}

// Stop removes the line. Nothing is written after it.
func (p *Progress) Stop() {
	if p == nil {
		return
	}
	close(p.end)
	p.ended.Wait()
}

// run writes the line once the run has proved to be long, and then whenever a
// second has passed.
func (p *Progress) run() {
	started, shown := time.Now(), false
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			p.write(time.Since(started))
			shown = true
		case <-p.end:
			if shown {
				fmt.Fprint(p.out, "\r\x1b[K")
			}
			return
		}
	}
}

func (p *Progress) write(since time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := []rune(fmt.Sprintf("%s (%s)", plain.Line(p.what), since.Round(time.Second)))
	if p.width > 0 {
		line = line[:min(len(line), p.width-1)]
	}
	fmt.Fprintf(p.out, "\r\x1b[K%s", string(line))
}
