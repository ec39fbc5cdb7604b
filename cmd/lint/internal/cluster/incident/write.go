package incident

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/document"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/rules"
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

// Write writes incidents in a format of [Formats].
func Write(w io.Writer, format string, all []Incident, by rules.InForce) error {
	if format == "json" {
		return plain.WriteJSON(w, Report{APIVersion: rules.ConfigAPIVersion, Kind: "IncidentReport", InForce: by, Incidents: all})
	}
	return writeText(w, plain.Copy(all, plain.Line), by)
}

// writeText writes five lines a release, more where there is more to choose from. Of
// several releases those that are healthy are only counted. Where a rule names the cause, the
// last line says which policies it is of.
func writeText(w io.Writer, all []Incident, by rules.InForce) error {
	out := document.NewText(w, document.Screen{})
	shown := 0
	for _, one := range all {
		if one.Healthy && len(one.Unfamiliar)+len(one.Rivals) == 0 && len(all) > 1 {
			continue
		}
		if shown > 0 {
			out.Linef("")
		}
		shown++
		one.write(out)
	}
	if healthy := len(all) - shown; healthy > 0 {
		out.Linef("%d of %d HelmReleases are Ready%s", healthy, len(all), uncommitted(all))
	}
	if by := by.Judged(); by != "" && slices.ContainsFunc(all, ofRule) {
		out.Linef("%s", by)
	}
	return out.Flush()
}

// uncommitted says how many of the releases that are Ready get no commit, or may get none, and why.
func uncommitted(all []Incident) string {
	return unreached(all, "no commit reaches", standstill.Chain.Unsure) +
		unreached(all, "a reason unknown to this program leaves open whether commits reach", func(c standstill.Chain) bool { return !c.Unsure() })
}

// unreached says what is the case of how many releases that are Ready, by the chains that are not left out.
func unreached(all []Incident, what string, leftOut func(standstill.Chain) bool) string {
	n, because := 0, []string{}
	for _, one := range all {
		chains := slices.DeleteFunc(slices.Clone(one.HeldUpBy), leftOut)
		if !one.Healthy || len(chains) == 0 {
			continue
		}
		n++
		for _, c := range chains {
			if why := c.Root.String() + ", " + c.State; !slices.Contains(because, why) {
				because = append(because, why)
			}
		}
	}
	if n == 0 {
		return ""
	}
	if more := len(because) - mostNamed; more > 0 {
		because = append(because[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("; %s %d of them, because of %s", what, n, strings.Join(because, "; "))
}

func ofRule(i Incident) bool { return i.Cause != nil && i.Cause.Rule != "" }

func (i Incident) write(t *document.Text) {
	t.Linef("%s is %s", i.Release, i.State)
	for _, line := range i.Lines() {
		t.Labelled(line.Label, line.Text)
		if line.Effect != "" {
			t.Linef("            %s", line.Effect)
		}
	}
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

// Line is one line of what why says about a release, below its state: "since  2h, after: ...".
type Line struct {
	// Label is a word such as since, next or revive; empty of a line that continues the one before.
	Label string `json:"label,omitempty"`
	Text  string `json:"text"`
	// Effect is what follows if somebody does what the text says, with the risk; empty of lines that
	// are not to be done.
	Effect string `json:"effect,omitempty"`
}

// Lines returns what why says about a release, below its state.
func (i Incident) Lines() []Line {
	var all []Line
	add := func(label, format string, args ...any) {
		all = append(all, Line{Label: label, Text: fmt.Sprintf(format, args...)})
	}
	if len(i.Unfamiliar) > 0 {
		add("unknown", "%s: a newer helm-controller may go on otherwise than is said here", strings.Join(i.Unfamiliar, ", "))
	}
	all = append(all, i.Standing(i.Healthy)...)
	if i.Healthy {
		return all
	}
	since := strings.NewReplacer("T", " ", "Z", " UTC").Replace(i.Since)
	switch {
	case i.After != "" && since != "":
		add("since", "%s, after: %s", since, i.After)
	case i.After != "":
		add("after", "%s", i.After)
	case since != "":
		add("since", "%s", since)
	}
	for n, next := range i.Next {
		add(words.Once(n, "next"), "%s", next)
	}
	if i.Deletes != "" {
		add("data", "an uninstall %s", i.Deletes)
	}
	all = append(all, i.ways()...)
	all = append(all, i.afterwards()...)
	if len(i.Others) > 0 {
		add("judged", "as cluster %s has it; also in %s: choose with --cluster", i.Cluster, strings.Join(i.Others, ", "))
	}
	if c := i.Cause; c != nil {
		rule := ""
		if c.Rule != "" {
			rule = " (rule " + c.Rule + ")"
		}
		add("set by", "%s: %s%s", c.place(), c.Message, rule)
	}
	return all
}

// ways are the lines on what revives a release. Ways with the same effect stand together.
func (i Incident) ways() []Line {
	if len(i.Revive) == 0 {
		return nil
	}
	text := "once the cause is gone, the mildest first:"
	if !i.Unaided() {
		text = "not needed once the cause is gone; to try sooner:"
	}
	all := []Line{{Label: "revive", Text: text}}
	for _, r := range i.choice() {
		all = append(all, Line{Text: r.Do, Effect: "then " + r.effect() + "; risk " + r.Risk})
	}
	return all
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

func (r Remedy) effect() string { return forecast.Way{Then: r.Then, Otherwise: r.Otherwise}.Effect() }

// place is where the setting is, as far as it is known.
func (c *Cause) place() string {
	if c.File == "" {
		return c.Path
	}
	return fmt.Sprintf("%s:%d %s", c.File, c.Line, c.Path)
}
