package incident

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/plain"
	"github.com/flux-remedy/remedy/pkg/rules"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Report is what is known of some releases. Its JSON is read by other tools.
type Report struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind" jsonschema:"enum=IncidentReport"`
	// InForce is what the releases are judged by.
	InForce   rules.InForce `json:"policy"`
	Incidents []Incident    `json:"incidents"`
}

// Formats lists the output formats.
func Formats() []string { return []string{"text", "json"} }

// Write writes incidents in a format.
func Write(w io.Writer, format string, all []Incident, by rules.InForce) error {
	switch format {
	case "text":
		return writeText(w, plain.Copy(all, plain.Line), by)
	case "json":
		return plain.WriteJSON(w, Report{APIVersion: rules.ConfigAPIVersion, Kind: "IncidentReport", InForce: by, Incidents: all})
	}
	return fmt.Errorf("unknown format %q: want %s", format, strings.Join(Formats(), ", "))
}

// writeText writes five lines a release, more where there is more to choose from. Of
// several releases those that are healthy are only counted. Where a rule names the cause, the
// last line says which policies it is of.
func writeText(w io.Writer, all []Incident, by rules.InForce) error {
	out := &text{bufio.NewWriter(w)}
	told := 0
	for _, one := range all {
		if one.Healthy && len(one.Unfamiliar)+len(one.Rivals) == 0 && len(all) > 1 {
			continue
		}
		if told > 0 {
			out.linef("")
		}
		told++
		out.incident(one)
	}
	if healthy := len(all) - told; healthy > 0 {
		out.linef("%d of %d HelmReleases are Ready", healthy, len(all))
	}
	if by := by.Judged(); by != "" && slices.ContainsFunc(all, ofRule) {
		out.linef("%s", by)
	}
	return out.Flush()
}

// ofRule reports whether a rule names the cause of an incident.
func ofRule(i Incident) bool { return i.Cause != nil && i.Cause.Rule != "" }

type text struct{ *bufio.Writer }

func (t *text) linef(format string, args ...any) {
	fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

// mostRivals is how many HelmReleases of one Helm release are named.
const mostRivals = 3

// rivals names the HelmReleases that have the same Helm release.
func (t *text) rivals(all []release.Name) {
	if len(all) == 0 {
		return
	}
	var names []string
	for _, rival := range all[:min(mostRivals, len(all))] {
		names = append(names, rival.String())
	}
	who := strings.Join(names, ", ")
	if rest := len(all) - mostRivals; rest > 0 {
		who += fmt.Sprintf(" and %d more", rest)
	}
	have := "have"
	if len(all) == 1 {
		have = "has"
	}
	t.linef("  fights  %s %s the same Helm release: each undoes what the other does, until one of them is removed or gets another releaseName", who, have)
}

func (t *text) incident(i Incident) {
	t.linef("%s is %s", i.Release, i.State)
	if len(i.Unfamiliar) > 0 {
		t.linef("  unknown %s: a newer helm-controller may go on otherwise than is said here", strings.Join(i.Unfamiliar, ", "))
	}
	t.rivals(i.Rivals)
	if i.Healthy {
		return
	}
	since := strings.NewReplacer("T", " ", "Z", " UTC").Replace(i.Since)
	switch {
	case i.After != "" && since != "":
		t.linef("  since   %s, after: %s", since, i.After)
	case i.After != "":
		t.linef("  after   %s", i.After)
	case since != "":
		t.linef("  since   %s", since)
	}
	for n, next := range i.Next {
		t.linef("  %-7s %s", first(n, "next"), next)
	}
	t.remedies(i)
	if len(i.Others) > 0 {
		t.linef("  judged  as cluster %s has it; also in %s: choose with --cluster", i.Cluster, strings.Join(i.Others, ", "))
	}
	if c := i.Cause; c != nil {
		rule := ""
		if c.Rule != "" {
			rule = " (rule " + c.Rule + ")"
		}
		t.linef("  set by  %s: %s%s", c.place(), c.Message, rule)
	}
}

// remedies lists what revives a release. Ways with the same effect stand together.
func (t *text) remedies(i Incident) {
	if !i.Unaided() && len(i.Revive) > 0 {
		t.linef("  revive  not needed once the cause is gone; to try sooner:")
	} else if len(i.Revive) > 0 {
		t.linef("  revive  once the cause is gone, the mildest first:")
	}
	for _, r := range i.choice() {
		t.linef("          %s", r.Do)
		t.linef("            then %s; risk %s", r.effect(), r.Risk)
	}
}

// choice returns the remedies that a person has to choose from: of those with the same
// effect the mildest, and only one where Flux goes on by itself.
func (i Incident) choice() []Remedy {
	if !i.Unaided() && len(i.Revive) > 0 {
		return i.Revive[:1]
	}
	var all []Remedy
	for _, r := range i.Revive {
		same := slices.ContainsFunc(all, func(other Remedy) bool { return other.effect() == r.effect() && other.when == r.when })
		if !same || r.published {
			all = append(all, r)
		}
	}
	return all
}

// Unaided reports whether the release may stay as it is until a human does something.
func (i Incident) Unaided() bool {
	return slices.ContainsFunc(i.Outlooks, unaided)
}

func (r Remedy) effect() string {
	if r.Otherwise == "" {
		return r.Then
	}
	return fmt.Sprintf("%s; if it fails again: %s", r.Then, r.Otherwise)
}

// place is where the setting is, as far as it is known.
func (c *Cause) place() string {
	if c.File == "" {
		return c.Path
	}
	return fmt.Sprintf("%s:%d %s", c.File, c.Line, c.Path)
}

// first returns the word for the first of some lines.
func first(n int, word string) string {
	if n > 0 {
		return ""
	}
	return word
}

// longest is how much of a failure's message is shown: what a chart puts there may have any
// length.
const longest = 300

// shortened returns the beginning of a message and its end, where most say what is the cause.
func shortened(message string) string {
	if r := []rune(message); len(r) > longest {
		const begin = longest / 3
		return string(r[:begin]) + " ... " + string(r[len(r)-longest+begin:])
	}
	return message
}
