package ruletest

import (
	"bytes"
	"errors"
	"io/fs"

	"github.com/flux-remedy/remedy/internal/rulepage"
)

// page checks that the page beside the rule, if there is one, is that of the rule today.
// One that is written by hand is left alone.
func (t *tested) page() ([]Fault, error) {
	data, err := fs.ReadFile(t.folder, rulepage.File)
	switch {
	case errors.Is(err, fs.ErrNotExist) && t.opts.BuiltIn:
		return []Fault{t.exampleFault(rulepage.File, nil, "there is none: run make generate")}, nil
	case errors.Is(err, fs.ErrNotExist), t.opts.Author == "":
		return nil, nil
	case err != nil:
		return nil, err
	}
	want, err := rulepage.Page(t.rule, t.folder, t.opts.Author)
	if err != nil || bytes.Equal(data, want) || !bytes.HasPrefix(data, []byte(rulepage.Generated)) {
		return nil, err
	}
	return []Fault{{t.source.at(t.inFolder(rulepage.File)), 1, "the page is not that of the rule any more: run \"" + t.opts.Author + "\""}}, nil
}
