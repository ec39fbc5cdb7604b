package render

import (
	"io"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/pkg/release"
)

// All writes releases in a format or, if a field is given, why it has its value in each.
func All(w io.Writer, format string, all []*effective.Release, field release.Path, secrets bool) error {
	if field == nil {
		out := []Release{}
		for _, one := range all {
			out = append(out, Of(one, secrets))
		}
		return Write(w, format, out)
	}
	out := []Explained{}
	for _, one := range all {
		out = append(out, Explain(one, field, secrets))
	}
	if err := checkField(field, out); err != nil {
		return err
	}
	return writeExplained(w, format, out)
}
