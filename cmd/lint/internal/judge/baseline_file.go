package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// ReadBaseline reads a baseline.
func ReadBaseline(file string) (*Baseline, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	known, err := ParseBaseline(file, data)
	if err != nil {
		return nil, fmt.Errorf("read baseline %s: %w", file, err)
	}
	return known, nil
}

// WriteBaseline writes what is found to a file. One that exists only shrinks.
func WriteBaseline(file string, run *Run, engine *rules.Engine) (*Baseline, error) {
	known, err := ReadBaseline(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		known = newBaseline(file, run)
	case err != nil:
		return nil, err
	default:
		known.shrink(run, engine)
	}
	if err := files.Replace(file, known.Encode()); err != nil {
		return nil, fmt.Errorf("write baseline: %w", err)
	}
	return known, nil
}
