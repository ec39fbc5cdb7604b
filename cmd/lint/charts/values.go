package main

import (
	"strings"

	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/strvals"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
)

// effective returns the values of a release, merged as helm-controller does it
// (ChartValuesFromReferences in github.com/fluxcd/pkg/chartutil): a value for a path is set among
// those of the release, which then go over all.
func effective(job charts.Job) (map[string]any, error) {
	out := map[string]any{}
	for _, v := range job.From {
		if v.Path != "" {
			out = loader.MergeMaps(out, job.Values)
			if err := replace(out, v); err != nil {
				return nil, err
			}
			continue
		}
		more, err := loader.LoadValues(strings.NewReader(v.Text))
		if err != nil {
			return nil, err
		}
		out = loader.MergeMaps(out, more)
	}
	return loader.MergeMaps(out, job.Values), nil
}

// escape takes from a text what means something in --set.
var escape = strings.NewReplacer(`\`, `\\`, `,`, `\,`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`)

// replace sets the value at a path.
func replace(values map[string]any, v charts.Values) error {
	quoted := func(quote string) bool { return strings.HasPrefix(v.Text, quote) && strings.HasSuffix(v.Text, quote) }
	switch {
	case v.Literal:
		return strvals.ParseIntoString(v.Path+"="+escape.Replace(v.Text), values)
	case quoted("'"), quoted(`"`):
		return strvals.ParseIntoString(v.Path+"="+strings.Trim(v.Text, `'"`), values)
	}
	return strvals.ParseInto(v.Path+"="+v.Text, values)
}
