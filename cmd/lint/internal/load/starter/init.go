package starter

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Free returns an error if the working directory has a file that [Configuration.Create] writes:
// it is left as it is.
func Free() error {
	for _, name := range []string{rules.ConfigFile, judge.BaselineName} {
		if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s exists: it is left as it is", name)
		}
	}
	return nil
}

// Create writes the configuration of the working directory, and what a run has found as known.
func (c Configuration) Create(run *judge.Run, engine *rules.Engine) error {
	if c.Baseline != "" {
		if _, err := judge.WriteBaseline(c.Baseline, run, engine); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := c.Write(&text); err != nil {
		return err
	}
	return files.Replace(rules.ConfigFile, text.Bytes())
}
