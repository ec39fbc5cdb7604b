package judge

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// BaselineKind is the kind of a baseline file.
const BaselineKind = "Baseline"

// Baseline is a list of findings that are accepted because they are old, by what makes
// them. Entries of earlier versions are of one release each.
type Baseline struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Findings   []report.Known `json:"findings"`

	file string
}

// newBaseline returns a baseline of all that a run has found, for a file.
func newBaseline(file string, run *Run) *Baseline {
	return &Baseline{APIVersion: report.APIVersion, Kind: BaselineKind, file: file, Findings: entries(run.found(filepath.Dir(file)))}
}

// ParseBaseline reads the content of a baseline file.
func ParseBaseline(file string, data []byte) (*Baseline, error) {
	b := &Baseline{file: file}
	if err := yaml.UnmarshalStrict(data, b); err != nil {
		return nil, err
	}
	if b.APIVersion != report.APIVersion || b.Kind != BaselineKind {
		return nil, fmt.Errorf("apiVersion %q and kind %q: want %s and %s", b.APIVersion, b.Kind, report.APIVersion, BaselineKind)
	}
	return b, nil
}

// Encode returns the content of the file: a line for each entry, in order, so that
// branches that both shrink it can be merged.
func (b *Baseline) Encode() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Known findings, by what makes them. Entries are only ever removed:\n"+
		"# \"flux-remedy lint --write-baseline\" drops those that are no longer found.\n"+
		"apiVersion: %s\nkind: %s\nfindings:", b.APIVersion, b.Kind)
	if len(b.Findings) == 0 {
		out.WriteString(" []")
	}
	out.WriteString("\n")
	for _, k := range b.Findings {
		line, _ := json.Marshal(k) // strings and numbers only
		fmt.Fprintf(&out, "- %s\n", line)
	}
	return out.Bytes()
}

// shrink removes the entries that a run no longer finds, and makes the others say how bad
// it is now. Those of one release become those of what makes the finding. What is new
// since stays new.
func (b *Baseline) shrink(run *Run, engine *rules.Engine) {
	stale, now := b.stale(run, engine), index(run.found(filepath.Dir(b.file)), engine)
	var out []report.Known
	for _, k := range b.Findings {
		covered := slices.DeleteFunc(slices.Clone(now[k.Identity()]), func(f found) bool { return !k.Covers(f.Severity, f.Degree) })
		switch {
		case slices.Contains(stale, k):
		case len(covered) == 0:
			out = append(out, k)
		case k.Field != "" && !run.seesPlace(b, k, engine):
			k.Rule = covered[0].Rule
			out = append(out, k)
		default:
			out = append(out, entries(covered)...)
		}
	}
	b.Findings = worst(out)
}

// index returns findings by the entries that they may have, under each name of their rules.
func index(all []found, engine *rules.Engine) map[report.Known][]found {
	out := map[report.Known][]found{}
	for _, f := range all {
		for _, name := range engine.Names(f.Rule) {
			for _, k := range []report.Known{f.cause, f.release} {
				k.Rule = name
				out[k] = append(out[k], f)
			}
		}
	}
	return out
}

// Drop removes the findings of the baseline from a run.
func (b *Baseline) Drop(run *Run, engine *rules.Engine) *report.Baseline {
	stale := b.stale(run, engine)
	known := map[report.Known][]report.Known{}
	for _, k := range b.Findings {
		known[k.Identity()] = append(known[k.Identity()], k)
	}
	dir := filepath.Dir(b.file)
	n := run.drop(func(r Release, f rules.Finding) bool {
		now := r.found(f, dir)
		return slices.ContainsFunc(engine.Names(f.Rule), func(name string) bool {
			now.cause.Rule, now.release.Rule = name, name
			return slices.ContainsFunc(slices.Concat(known[now.cause], known[now.release]), func(k report.Known) bool {
				return k.Covers(f.Severity, f.Degree)
			})
		})
	})
	return &report.Baseline{From: b.file, Known: n, Stale: stale}
}
