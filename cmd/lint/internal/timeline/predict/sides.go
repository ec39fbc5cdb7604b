package predict

import (
	"errors"
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/timeline"
)

// Side is what is forecast: a state of a tree.
type Side struct {
	// Name is that of the state for people.
	Name string
	Read func() (*effective.Tree, error)
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
	if releases == 0 {
		return ErrNothing
	}
	look.Brief = releases > len(sides) && len(o.Scenarios) == 0
	if len(sides) == 1 {
		return timeline.Write(out, o.Format, reports[0], look)
	}
	compared := timeline.Compare(reports[0], reports[1])
	compared.Before, compared.After = sides[0].Name, sides[1].Name
	return timeline.WriteComparison(out, o.Format, compared, look)
}
