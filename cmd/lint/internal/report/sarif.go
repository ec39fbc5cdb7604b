package report

import (
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// The part of SARIF 2.1.0 that is written.
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
		Properties  sarifPolicy       `json:"properties"`
	}
	// sarifPolicy says what the run was judged by.
	sarifPolicy struct {
		Policy rules.InForce `json:"policy"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string        `json:"id"`
		ShortDescription *sarifText    `json:"shortDescription,omitempty"`
		FullDescription  *sarifText    `json:"fullDescription,omitempty"`
		Help             *sarifText    `json:"help,omitempty"`
		Default          *sarifDefault `json:"defaultConfiguration,omitempty"`
		Properties       *sarifTags    `json:"properties,omitempty"`
	}
	sarifText struct {
		Text     string `json:"text"` // without marks; GitHub shows Markdown if there is some
		Markdown string `json:"markdown,omitempty"`
	}
	sarifDefault struct {
		Level string `json:"level"`
	}
	sarifTags struct {
		Tags []string `json:"tags"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifResult struct {
		RuleID       string             `json:"ruleId"`
		RuleIndex    int                `json:"ruleIndex"`
		Level        string             `json:"level"`
		Message      sarifText          `json:"message"`
		Locations    []sarifLocation    `json:"locations"`
		Related      []sarifLocation    `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string  `json:"partialFingerprints"`
		Fixes        []sarifFix         `json:"fixes,omitempty"`
		Suppressions []sarifSuppression `json:"suppressions,omitempty"`
		// Baseline is new or updated in a diff, and absent elsewhere: a baseline
		// leaves waived findings alone.
		Baseline   string          `json:"baselineState,omitempty"`
		Properties sarifProperties `json:"properties"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}
	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}
	sarifProperties struct {
		Release  string         `json:"release"`
		Path     string         `json:"path"`
		Tiers    []release.Tier `json:"tiers"`
		Clusters []string       `json:"clusters"`
	}
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

func writeSARIF(w io.Writer, r Report, opts Options) error {
	return plain.WriteJSON(w, sarifOf(r, opts))
}

// writeDiffSARIF writes what is new or worse as results that say so. What is
// gone is left out: readers that do not know of baselines would open it again.
func writeDiffSARIF(w io.Writer, d Diff, opts Options) error {
	r := d.gained()
	log := sarifOf(r, opts)
	for i, f := range r.Findings {
		log.Runs[0].Results[i].Baseline = "new"
		if f.Was != "" {
			log.Runs[0].Results[i].Baseline = "updated"
		}
	}
	return plain.WriteJSON(w, log)
}

func sarifOf(r Report, opts Options) sarifLog {
	s := sarif{opts: opts, rules: sarifRules(r, opts)}
	run := sarifRun{
		Tool:        sarifTool{sarifDriver{Name: "flux-remedy", Version: strings.TrimPrefix(opts.Version, "v"), Rules: s.rules}},
		Invocations: []sarifInvocation{s.invocation(r)},
		ColumnKind:  "unicodeCodePoints",
		Results:     []sarifResult{},
		Properties:  sarifPolicy{r.InForce},
	}
	prints := fingerprints(r.Findings)
	related := s.relatedByCause(r)
	for i, f := range r.Findings {
		result := s.result(f, prints[i])
		result.relate(related[i])
		run.Results = append(run.Results, result)
	}
	return sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}}
}

type sarif struct {
	opts  Options
	rules []sarifRule
}

// sarifRules describes the rules that have findings, and no others.
func sarifRules(r Report, opts Options) []sarifRule {
	return words.Of(words.Alike[[]Finding](r.Findings, func(f Finding) string { return f.Rule }), func(of []Finding) sarifRule {
		rule := sarifRule{ID: of[0].Rule, Properties: &sarifTags{[]string{of[0].Category}}}
		if known, ok := opts.rule(rule.ID); ok {
			rule.describe(known, opts.Page)
		}
		return rule
	})
}

// describe carries the rule's whole page, so that nobody has to look it up.
func (s *sarifRule) describe(rule rules.Rule, page func(rules.Rule) string) {
	description := strings.TrimSpace(rule.Description)
	s.ShortDescription = &sarifText{Text: rule.Title}
	s.FullDescription = &sarifText{Text: description}
	s.Help = &sarifText{Text: description, Markdown: description}
	for _, reference := range rule.References {
		s.Help.Text += "\n" + reference.URL
	}
	if page != nil {
		s.Help.Markdown = page(rule)
	}
	if level := levels[rule.Severity[release.Production]]; level != "" {
		s.Default = &sarifDefault{level}
	}
}

var levels = map[rules.Severity]string{
	rules.Error: "error", rules.Warning: "warning", rules.Info: "note", rules.Off: "none",
}

// invocation carries what could not be known or read.
func (s sarif) invocation(r Report) sarifInvocation {
	run := sarifInvocation{Successful: len(r.Problems) == 0}
	for _, l := range slices.Concat(problemLines(r.Problems), undeterminedLines(r.Undetermined, "undetermined"), unappliedLines(r.Unapplied, "unapplied")) {
		text := l.Message
		if l.Severity == rules.Warning {
			text = l.Head + ": " + text
		}
		run.Notifications = append(run.Notifications, sarifNotification{levels[l.Severity], sarifText{Text: text}, []sarifLocation{s.location(l.File, l.Line, l.Column)}})
	}
	return run
}

// result writes a finding. GitHub tracks it by primaryLocationLineHash alone.
func (s sarif) result(f Finding, print string) sarifResult {
	result := sarifResult{
		RuleID:       f.Rule,
		RuleIndex:    slices.IndexFunc(s.rules, func(r sarifRule) bool { return r.ID == f.Rule }),
		Level:        levels[f.Severity],
		Message:      sarifText{Text: message([]Finding{f}) + f.HoldsUp.clause()},
		Locations:    []sarifLocation{s.location(f.File, f.Line, f.Column)},
		Fingerprints: map[string]string{"fluxRemedy/v1": print, "primaryLocationLineHash": print + ":1"},
		Fixes:        fixes(f),
		Properties:   sarifProperties{f.Release.String(), f.Path, orEmpty(f.Tiers), orEmpty(f.Clusters)},
	}
	for _, p := range f.Provenance {
		result.relate([]sarifLocation{s.related(p.File, p.Line, "set by "+p.What)})
	}
	if f.Waived != nil {
		kind := "external"
		if len(f.Waived.Path) > 0 || f.Waived.File != "" {
			kind = "inSource"
		}
		result.Suppressions = []sarifSuppression{{kind, "accepted", justification(*f.Waived)}}
	}
	return result
}

// justification says why a finding is accepted, until when and by whom.
func justification(w rules.Waiver) string {
	text := fmt.Sprintf("%s (until %s", w.Reason, w.Until)
	if w.Owner != "" {
		text += ", ask " + w.Owner
	}
	return text + ")"
}

// location names a place, to the end of its line if that is known.
func (s sarif) location(file string, line, column int) sarifLocation {
	physical := sarifPhysical{Artifact: artifact(file)}
	if line > 0 {
		physical.Region = &sarifRegion{StartLine: line, StartColumn: column}
		if length, ok := s.opts.length(file, line); ok && column > 0 {
			physical.Region.EndLine = line
			physical.Region.EndColumn = max(length, column) + 1
		}
	}
	return sarifLocation{Physical: physical}
}

// artifact names a file by a URI relative to the root of the sources.
func artifact(file string) sarifArtifact {
	uri := (&url.URL{Path: filepath.ToSlash(filepath.Clean(file))}).String()
	if filepath.IsAbs(file) {
		return sarifArtifact{URI: "file://" + uri}
	}
	return sarifArtifact{URI: uri, Base: "%SRCROOT%"}
}
