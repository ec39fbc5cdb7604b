package ruletest

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/flux-remedy/remedy/pkg/loss"
)

// lossIn says what an uninstall deletes by the manifests in a file; nil if there is none. With
// old.rendered.yaml beside it they are those of a new version of the chart.
func lossIn(folder fs.FS, name string) (*loss.Loss, error) {
	now, err := renderedIn(folder, name)
	if now == nil || err != nil {
		return nil, err
	}
	out := loss.Of(*now)
	old, err := renderedIn(folder, "old.rendered.yaml")
	if old != nil {
		out.Dropped = loss.Dropped(*old, *now)
	}
	return out, err
}

func renderedIn(folder fs.FS, name string) (*loss.Release, error) {
	data, err := fs.ReadFile(folder, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	documents, err := loss.Documents(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &loss.Release{Chart: "the chart", Documents: documents}, nil
}
