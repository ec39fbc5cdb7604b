package starter

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

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

// Exclude adds a line to .sourceignore in the working directory, so that Flux does not read files there. It returns false
// if the line is there already.
func Exclude(line string) (bool, error) {
	const name = ".sourceignore"
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if slices.Contains(strings.Split(string(text), "\n"), line) {
		return false, nil
	}
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	return true, files.Replace(name, append(text, line+"\n"...))
}
