package incident

import (
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/release"
)

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
	all = append(all, i.Standing()...)
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

// mostRivals is how many HelmReleases of one Helm release are named.
const mostRivals = 3

// fights says which HelmReleases have the same Helm release; empty if there are none.
func fights(all []release.Name) string {
	if len(all) == 0 {
		return ""
	}
	who := words.First(words.Of(all, release.Name.String), mostRivals, "")
	have := "have"
	if len(all) == 1 {
		have = "has"
	}
	return who + " " + have + " the same Helm release: each undoes what the other does, until one of them is removed or gets another releaseName"
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
