package predict

import (
	"errors"
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/flux"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
)

// Side is what is forecast: a state of a tree.
type Side struct {
	// Name is that of the state for people.
	Name string
	Read func() (*flux.Tree, error)
}

// ErrNothing says that no release is there to forecast.
var ErrNothing = errors.New("no HelmRelease was found")

// Write forecasts the releases of one side and writes that, or compares it with those of
// the side before it. It returns [ErrNothing] if there are none.
func (o Options) Write(out io.Writer, look timeline.Options, sides ...Side) error {
	var reports []timeline.Report
	releases := 0
	for _, side := range sides {
		tree, err := side.Read()
		if err != nil {
			return err
		}
		report, found, err := o.Report(tree)
		if err != nil {
			return err
		}
		reports, releases = append(reports, report), releases+found
	}
	switch {
	case releases == 0:
		return ErrNothing
	case len(sides) == 2:
		return timeline.WriteComparison(out, o.Format, timeline.Comparisons{
			APIVersion: timeline.APIVersion, Kind: timeline.ComparisonKind, Before: sides[0].Name, After: sides[1].Name,
			Comparisons: timeline.Compare(reports[0].Forecasts, reports[1].Forecasts),
		}, look)
	}
	look.Brief = releases > 1 && len(o.Scenarios) == 0
	return timeline.Write(out, o.Format, reports[0], look)
}
