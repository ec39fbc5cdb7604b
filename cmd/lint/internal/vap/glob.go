package vap

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// plainClass is a class of characters of a glob that means the same in a regular expression.
var plainClass = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\[(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_.:@])+\]`) })

// checkGlobs returns an error for a glob of the configuration that no regular expression
// says: a policy must not exempt or waive more or less than the webhook.
func checkGlobs(config *rules.Config) error {
	check := func(field string, globs ...string) error {
		for _, glob := range globs {
			if _, err := regexp.Compile(pattern(glob)); err != nil || !sayable(glob) {
				return fmt.Errorf("%s: an admission policy cannot match %q: want * and ? for some characters, one ** at the beginning or the end, [a-z] and {a,b} of plain characters", field, glob)
			}
		}
		return nil
	}
	for i, e := range config.Spec.Admission.Exempt {
		at := fmt.Sprintf("spec.admission.exempt[%d].", i)
		err := cmp.Or(check(at+"users", e.Users...), check(at+"groups", e.Groups...),
			check(at+"serviceAccounts", e.ServiceAccounts...), check(at+"namespaces", e.Namespaces...))
		if err != nil {
			return err
		}
	}
	for i, e := range config.Spec.Waivers.Entries {
		if err := check(fmt.Sprintf("spec.waivers.entries[%d]", i), e.Namespace, e.Name); err != nil {
			return err
		}
	}
	return nil
}

// sayable reports whether a pattern means what its glob does: its classes are plain, and
// a ** is one whole part, of all alternatives.
func sayable(glob string) bool {
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '[':
			found := plainClass().FindString(glob[i:])
			if found == "" {
				return false
			}
			i += len(found) - 1
		}
	}
	if !strings.Contains(glob, "**") {
		return !strings.HasSuffix(glob, "/")
	}
	inPart := func(part string) bool { return strings.Contains(part, "**") && part != "**" }
	return strings.Count(glob, "**") == 1 && !strings.HasSuffix(glob, "/") && !strings.ContainsAny(glob, "{}") && !slices.ContainsFunc(strings.Split(glob, "/"), inPart) &&
		!strings.HasPrefix(glob, "/") && !strings.Contains(glob, "*/**") && !strings.Contains(glob, "//")
}

// pattern returns the regular expression that matches what a glob matches: * and ? any
// characters but slashes, ** any number of parts between slashes, [a-z] one of some,
// {a,b} one of several.
func pattern(glob string) string { return "^" + body(glob) + "$" }

func body(glob string) string {
	var out strings.Builder
	depth := 0
	for i := 0; i < len(glob); i++ {
		whole := i == 0 || glob[i-1] == '/'
		switch c := glob[i]; {
		case c == '\\' && i+1 < len(glob):
			i++
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		case whole && glob[i:] == "**":
			i++
			out.WriteString(".*")
		case whole && strings.HasPrefix(glob[i:], "**/"):
			i += 2
			out.WriteString("(?:.*/)?")
		case glob[i:] == "/**":
			i += 2
			out.WriteString("(?:/.*)?")
		case c == '*':
			out.WriteString("[^/]*")
		case c == '?':
			out.WriteString("[^/]")
		case c == '[':
			found := plainClass().FindString(glob[i:])
			out.WriteString(found)
			i += max(len(found)-1, 0)
		case c == '{':
			depth++
			out.WriteString("(?:")
		case c == '}' && depth > 0:
			depth--
			out.WriteString(")")
		case c == ',' && depth > 0:
			out.WriteString("|")
		default:
			out.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	return "(?s:" + out.String() + ")"
}
