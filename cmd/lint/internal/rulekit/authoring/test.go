package authoring

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
	"github.com/flux-remedy/remedy/internal/ruletest"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// Options are what is tested, and how it is shown.
type Options struct {
	// Folders hold the rules; policy if there is none.
	Folders []string
	// Skip are checks that are not made.
	Skip []string
	// MinCoverage is what the Rego tests of a rule must reach, in percent.
	MinCoverage int
	// Format is how the report is written.
	Format string
}

// Register registers the flags that are the test's own.
func (o *Options) Register(flags *pflag.FlagSet) {
	flags.IntVar(&o.MinCoverage, "min-coverage", 0, "fail if the Rego tests reach less than `PERCENT` of the lines of a rule")
	flags.StringVarP(&o.Format, "output", "o", "text", "`FORMAT`: "+strings.Join(Formats(), ", "))
}

// Checks lists the checks that can be left out.
func Checks() []string { return ruletest.Checks() }

// Test holds the rules of folders to what the built-in ones are held to, runs their Rego
// tests, and writes a report. It reports whether they hold. Infos of other rules may be on
// their examples.
func Test(ctx context.Context, out io.Writer, o Options) (held bool, err error) {
	write, err := o.writer()
	if err != nil {
		return false, err
	}
	if len(o.Folders) == 0 {
		o.Folders = []string{"policy"}
	}
	sources := []ruletest.Source{{Name: "built-in", FS: policies.FS}}
	for _, folder := range o.Folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return false, fmt.Errorf("%s: no such folder", folder)
		}
		sources = append(sources, ruletest.Source{Name: folder, FS: files.Folder(folder)})
	}
	report, err := ruletest.Run(ctx, ruletest.Options{
		Sources: sources, Author: author, Skip: o.Skip, MinCoverage: o.MinCoverage,
		Tolerated: func(f rules.Finding) bool { return f.Severity == rules.Info },
	})
	if err != nil {
		return false, err
	}
	return report.Summary.Faults == 0, write(out, report)
}

// writer checks the options and returns what writes the report.
func (o Options) writer() (func(io.Writer, *ruletest.Report) error, error) {
	for _, name := range o.Skip {
		if !slices.Contains(Checks(), name) {
			return nil, fmt.Errorf("--skip %s: unknown check: want %s%s", name, strings.Join(Checks(), ", "), rules.DidYouMean(name, Checks()))
		}
	}
	if o.MinCoverage < 0 || o.MinCoverage > 100 {
		return nil, fmt.Errorf("--min-coverage %d: want a number from 0 to 100", o.MinCoverage)
	}
	for _, f := range formats {
		if f.name == o.Format {
			return f.write, nil
		}
	}
	return nil, fmt.Errorf("-o %s: unknown format: want %s", o.Format, strings.Join(Formats(), ", "))
}
