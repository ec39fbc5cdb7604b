package revive

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
)

// write writes a plan: what is done to each release, and what is left alone and why.
func write(w io.Writer, steps []Step) {
	for _, s := range plain.Copy(steps, plain.Line) {
		if s.Do == "" {
			fmt.Fprintf(w, "%s is left alone: %s\n", s.Release, s.Left)
			continue
		}
		fmt.Fprintf(w, "%s is %s\n  do      %s\n          then %s", s.Release, s.State, s.Do, s.Then)
		if s.Otherwise != "" {
			fmt.Fprintf(w, "; if it fails again: %s", s.Otherwise)
		}
		fmt.Fprintln(w)
	}
}

// summary counts what came of the steps.
func (r *runner) summary() string {
	var words []string
	for _, what := range []result{revived, failed, unfinished, left, untried, unknown} {
		if n := r.count[what]; n > 0 {
			words = append(words, fmt.Sprintf("%s: %d", what, n))
		}
	}
	return strings.Join(words, ", ")
}
