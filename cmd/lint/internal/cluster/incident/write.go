package incident

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/standstill"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
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
	shown := 0
	for _, one := range all {
		if one.Healthy && len(one.Unfamiliar)+len(one.Rivals) == 0 && len(all) > 1 {
			continue
		}
		if shown > 0 {
			out.linef("")
		}
		shown++
		out.incident(one)
	}
	if healthy := len(all) - shown; healthy > 0 {
		out.linef("%d of %d HelmReleases are Ready%s", healthy, len(all), uncommitted(all))
	}
	if by := by.Judged(); by != "" && slices.ContainsFunc(all, ofRule) {
		out.linef("%s", by)
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

// ofRule reports whether a rule names the cause of an incident.
func ofRule(i Incident) bool { return i.Cause != nil && i.Cause.Rule != "" }

type text struct{ *bufio.Writer }

func (t *text) linef(format string, args ...any) {
	fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf(format, args...), " "))
}

func (t *text) incident(i Incident) {
	t.linef("%s is %s", i.Release, i.State)
	for _, line := range i.Lines() {
		t.linef("  %-7s %s", line.Label, line.Text)
		if line.Effect != "" {
			t.linef("            %s", line.Effect)
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
