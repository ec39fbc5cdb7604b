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

// baselineKind is the kind of a baseline file.
const baselineKind = "Baseline"

// Baseline is a list of findings that are accepted because they are old.
type Baseline struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Findings   []report.Known `json:"findings"`

	file string
}

// NewBaseline returns a baseline of all that a run has found, for a file.
func NewBaseline(file string, run *Run) *Baseline {
	return &Baseline{APIVersion: report.APIVersion, Kind: baselineKind, file: file, Findings: run.known(filepath.Dir(file))}
}

// ParseBaseline reads the content of a baseline file.
func ParseBaseline(file string, data []byte) (*Baseline, error) {
	b := &Baseline{file: file}
	if err := yaml.UnmarshalStrict(data, b); err != nil {
		return nil, err
	}
	if b.APIVersion != report.APIVersion || b.Kind != baselineKind {
		return nil, fmt.Errorf("apiVersion %q and kind %q: want %s and %s", b.APIVersion, b.Kind, report.APIVersion, baselineKind)
	}
	return b, nil
}

// Encode returns the content of the file: a line for each finding, in order, so
// that branches that both shrink it can be merged.
func (b *Baseline) Encode() []byte {
	var out bytes.Buffer
	fmt.Fprintf(&out, "# Findings that are let be because they are old. Entries may go, not come:\n"+
		"# \"flux-remedy lint --write-baseline\" drops those that are no longer found.\n"+
		"apiVersion: %s\nkind: %s\nfindings:", b.APIVersion, b.Kind)
	if len(b.Findings) == 0 {
		out.WriteString(" []")
	}
	out.WriteString("\n")
	for _, k := range b.Findings {
		line, _ := json.Marshal(k) // strings only
		fmt.Fprintf(&out, "- %s\n", line)
	}
	return out.Bytes()
}

// Shrink removes the entries that a run no longer finds. What is new since stays
// new.
func (b *Baseline) Shrink(run *Run, engine *rules.Engine) {
	stale := b.stale(run, engine)
	b.Findings = slices.DeleteFunc(b.Findings, func(k report.Known) bool { return slices.Contains(stale, k) })
	b.rename(run, engine)
}

// rename puts entries under the names that their rules have now, where they are
// found.
func (b *Baseline) rename(run *Run, engine *rules.Engine) {
	found := map[report.Known]bool{}
	for _, k := range run.known(filepath.Dir(b.file)) {
		found[k.Identity()] = true
	}
	var all []report.Known
	for _, k := range b.Findings {
		before := len(all)
		for _, rule := range engine.Named(k.Rule) {
			now := k
			if now.Rule = rule.ID; found[now.Identity()] {
				all = append(all, now)
			}
		}
		if len(all) == before {
			all = append(all, k)
		}
	}
	b.Findings = all
}

// Drop removes the findings of the baseline from a run.
func (b *Baseline) Drop(run *Run, engine *rules.Engine) *report.Baseline {
	stale := b.stale(run, engine)
	known := map[report.Known]report.Known{}
	for _, k := range b.Findings {
		known[k.Identity()] = k
	}
	dir := filepath.Dir(b.file)
	n := run.drop(func(r Release, f rules.Finding) bool {
		now := r.known(f, dir)
		return slices.ContainsFunc(engine.Names(f.Rule), func(name string) bool {
			now.Rule = name
			k, ok := known[now]
			return ok && k.Covers(f.Severity)
		})
	})
	return &report.Baseline{From: b.file, Known: n, Stale: stale}
}

// stale lists the entries that the run would have found if they were still there:
// their release was judged, or nothing hides that it is gone. An entry of a rule
// that is not loaded is not stale.
func (b *Baseline) stale(run *Run, engine *rules.Engine) []report.Known {
	dir := filepath.Dir(b.file)
	found := map[report.Known]bool{}
	for _, k := range run.known(dir) {
		for _, name := range engine.Names(k.Rule) {
			k.Rule = name
			found[k.Identity()] = true
		}
	}
	release := func(k report.Known) report.Known {
		return report.Known{Release: k.Release, Cluster: k.Cluster, File: k.File}
	}
	class, open := map[report.Known]rules.Class{}, map[report.Known][]string{}
	for _, r := range run.Releases {
		of := release(r.known(rules.Finding{}, dir))
		class[of], open[of] = r.Verdict.Class, r.openRules()
	}
	stale := []report.Known{}
	for _, k := range b.Findings {
		loaded := len(engine.Named(k.Rule)) > 0
		of, seen := class[release(k)]
		if slices.ContainsFunc(engine.Named(k.Rule), func(rule rules.Rule) bool { return slices.Contains(open[release(k)], rule.ID) }) {
			continue
		}
		if loaded && !found[k.Identity()] && (seen && of != rules.ClassUnknown || !seen && run.sees(dir, k.Cluster)) {
			stale = append(stale, k)
		}
	}
	return stale
}
