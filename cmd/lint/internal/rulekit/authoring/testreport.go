package authoring

import (
	"fmt"
	"io"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/internal/ruletest"
)

// formats are how the report of a test is written. The first one is for people.
var formats = []struct {
	name  string
	write func(io.Writer, *ruletest.Report) error
}{
	{"text", writeText},
	{"json", func(w io.Writer, r *ruletest.Report) error { return plain.WriteJSON(w, r) }},
	{"junit", writeJUnit},
}

// Formats lists how the report of a test can be written.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

func writeText(w io.Writer, r *ruletest.Report) error {
	var b strings.Builder
	for _, result := range r.Results {
		for _, check := range result.Checks {
			for _, f := range check.Faults {
				fmt.Fprintf(&b, "%s:%d: %s: %s\n", f.File, f.Line, label(check), f.Message)
			}
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	for _, result := range r.Results {
		verdict := "ok  "
		if result.Faults() > 0 {
			verdict = "FAIL"
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", verdict, result.File, outline(result))
	}
	s := r.Summary
	fmt.Fprintf(&b, "\n%s: %d checks, %d test cases, %s\n", plural(s.Rules, "rule"), s.Checks, s.Tests, plural(s.Faults, "fault"))
	_, err := io.WriteString(w, plain.Text(b.String()))
	return err
}

// label names a check for people.
func label(c ruletest.Check) string {
	if c.Test {
		return "test"
	}
	return c.Name
}

// outline says how much of a rule was checked.
func outline(r ruletest.Result) string {
	checks, tests := 0, 0
	var skipped []string
	for _, check := range r.Checks {
		switch {
		case check.Skipped:
			skipped = append(skipped, check.Name)
		case check.Test:
			tests++
		default:
			checks++
		}
	}
	out := plural(checks, "check") + ", " + plural(tests, "test")
	if r.Coverage != nil {
		out += fmt.Sprintf(", coverage %d%%", r.Coverage.Percent())
		if len(r.Coverage.Missed) > 0 {
			out += fmt.Sprintf(" (not line %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Coverage.Missed), " ", ", "), "[]"))
		}
	}
	if len(skipped) > 0 {
		out += ", skipped: " + strings.Join(skipped, ", ")
	}
	return out
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
