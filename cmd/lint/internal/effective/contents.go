package effective

import (
	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/pkg/loss"
)

// contents are what the chart of a release renders.
type contents struct {
	loss.Release
	secrets variables.Secrets // that its values and variables hold
	public  charts.Words      // what the chart renders whatever Secrets supply; nil if they supply nothing
}

// mask replaces in what becomes of objects what Secrets supply, and what the chart makes of it.
func (c *contents) mask(fates []loss.Fate) {
	for i := range fates {
		f := &fates[i]
		for _, text := range []*string{&f.Group, &f.Kind, &f.Namespace, &f.Name, &f.Size, &f.Note} {
			if c.public != nil {
				*text = c.public.Hide(*text, variables.FromSecret)
			}
			*text = c.secrets.Mask(*text)
		}
	}
}
