package judge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"

	"sigs.k8s.io/yaml"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
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

// counter matches the number that earlier versions gave to items of a list with one name.
var counter = regexp.MustCompile(` \([0-9]+\)\]`)

// ParseBaseline reads the content of a baseline file.
func ParseBaseline(file string, data []byte) (*Baseline, error) {
	b := &Baseline{file: file}
	if err := yaml.UnmarshalStrict(data, b); err != nil {
		return nil, unread(file, data, err)
	}
	for i, k := range b.Findings {
		b.Findings[i].Field = counter.ReplaceAllString(k.Field, "]")
	}
	if b.APIVersion != report.APIVersion || b.Kind != BaselineKind {
		return nil, fmt.Errorf("apiVersion %q and kind %q: want %s and %s", b.APIVersion, b.Kind, report.APIVersion, BaselineKind)
	}
	return b, nil
}

// unread says where and why a file cannot be read.
func unread(file string, data []byte, err error) error {
	if written, is := yamledit.Parse(file, data); is == nil {
		for _, doc := range written.Documents {
			if doc.Err != nil {
				return doc.Err
			}
		}
	}
	return errors.New(yamledit.Plain(err.Error()))
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
// it is now, and where. Those of one release become those of what makes the finding. What is
// new since stays new.
func (b *Baseline) shrink(run *Run, engine *rules.Engine) {
	now := b.matches(run, engine)
	stale := b.stale(run, engine, now)
	var out []report.Known
	for _, k := range b.Findings {
		var covered []found
		for _, m := range now[k] {
			if m.covered {
				covered = append(covered, m.found)
			}
		}
		switch {
		case slices.Contains(stale, k):
		case len(covered) == 0:
			out = append(out, k)
		case k.Field != "" && covered[0].cause.File == k.File && !run.seesPlace(b, k, engine):
			k.Rule = covered[0].Rule
			out = append(out, k)
		default:
			out = append(out, entries(covered)...)
		}
	}
	b.Findings = worst(out)
}

// Drop removes the findings of the baseline from a run.
func (b *Baseline) Drop(run *Run, engine *rules.Engine) *report.Baseline {
	now := b.matches(run, engine)
	known := map[identity]bool{}
	for _, all := range now {
		for _, m := range all {
			known[m.identity] = known[m.identity] || m.covered
		}
	}
	n := run.drop(func(r Release, f rules.Finding) bool { return known[identityOf(r, f)] })
	return &report.Baseline{From: b.file, Known: n, Stale: b.stale(run, engine, now)}
}
