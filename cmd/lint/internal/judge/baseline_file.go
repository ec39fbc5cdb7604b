package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// BaselineName is the name of a first baseline.
const BaselineName = ".flux-remedy-baseline.yaml"

// ReadBaseline reads a baseline.
func ReadBaseline(file string) (*Baseline, error) {
	data, err := os.ReadFile(file)
	return parseRead(file, data, err)
}

// Baseline reads the baseline that the configuration names; nil if it names none. No link
// leads out of the folder of the configuration.
func (c Configuration) Baseline() (*Baseline, error) {
	name := filepath.FromSlash(c.Spec.Baseline)
	if name == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(c.Dir())
	if err != nil {
		return nil, fmt.Errorf("read baseline: %w", err)
	}
	defer root.Close()
	data, err := root.ReadFile(name)
	known, err := parseRead(FromHere(filepath.Join(c.Dir(), name)), data, err)
	if err == nil {
		return known, nil
	}
	if c.Extends != nil {
		if _, theirs := rules.Inherited(c.Data, c.Extends.Data, release.Path{"spec", "baseline"}); theirs {
			return nil, fmt.Errorf("configuration %s, which %s extends: spec.baseline: %w; --write-baseline %s writes it, or set spec.baseline in %[2]s, \"\" for none",
				c.Extends.Name(), c.Name(), err, FromHere(filepath.Join(c.Dir(), name)))
		}
	}
	return nil, fmt.Errorf("configuration %s: spec.baseline: %w", c.Name(), err)
}

func parseRead(file string, data []byte, err error) (*Baseline, error) {
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
