package rulekit

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"text/tabwriter"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
)

// List writes a table of rules.
func List(out io.Writer, all []rules.Rule) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CATEGORY\tRULE\tPRODUCTION\tSTAGING\tDEVELOPMENT\tSAYS")
	for _, rule := range plain.Copy(all, plain.Line) {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", rule.Category, rule.ID, rule.Severities(release.Production),
			rule.Severities(release.Staging), rule.Severities(release.Development), rule.Title)
	}
	return w.Flush()
}

// Page returns the page of a rule; of a custom rule, its title and description.
func Page(rule rules.Rule) string {
	page, err := fs.ReadFile(policies.FS, path.Join("rules", rule.Category, rule.ID, "README.md"))
	if err != nil {
		return "# " + rule.Title + "\n\n" + rule.Description
	}
	if _, text, generated := bytes.Cut(page, []byte(" -->\n")); generated {
		page = text // without the note for those who edit it
	}
	return string(page)
}

// URL returns the address of the page of a rule below that of all pages; empty for a custom rule,
// and if it is not known where the pages are.
func URL(pages string, rule rules.Rule) string {
	if pages == "" || !BuiltIn(rule) {
		return ""
	}
	return strings.TrimSuffix(pages, "/") + "/" + path.Join(rule.Category, rule.ID, "README.md")
}

// BuiltIn reports whether a rule is one of this program.
func BuiltIn(rule rules.Rule) bool {
	_, err := fs.Stat(policies.FS, path.Join("rules", rule.Category, rule.ID, "README.md"))
	return err == nil
}

// Print writes the page of the rule that is named, or of all that had the name before; note
// says so.
func Print(out io.Writer, note func(format string, args ...any), engine *rules.Engine, id string) error {
	named := engine.Named(id)
	if id == policy.Rule.ID {
		named = []rules.Rule{policy.Rule}
	}
	if len(named) == 0 {
		return fmt.Errorf("there is no rule %q: \"flux-remedy rules\" lists them%s", id, rules.DidYouMean(id, engine.IDs()))
	}
	if renamed := engine.Renamed(id); renamed != "" {
		note("%s", renamed)
	}
	for _, rule := range named {
		if _, err := io.WriteString(out, plain.Text(Page(rule))); err != nil {
			return err
		}
	}
	return nil
}
