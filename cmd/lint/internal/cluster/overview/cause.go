package overview

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
)

// Cause is what several releases that are not well have in common: the message of their last
// failure, the version of their chart, or the source of it. Each release is in one at most.
type Cause struct {
	// Message has * for names and numbers; absent if the messages differ.
	Message string `json:"message,omitempty"`
	// Chart is as redis 18.1.0, Source as HelmRepository flux-system/bitnami; absent if they
	// differ, the source also where the chart is the same.
	Chart  string `json:"chart,omitempty"`
	Source string `json:"source,omitempty"`
	// Of counts all releases with that chart or source, also those that are well; absent
	// without them.
	Of       int `json:"of,omitempty"`
	Clusters int `json:"clusters"`
	// Releases are as CLUSTER: NAMESPACE/NAME, sorted.
	Releases []string `json:"releases"`
}

// behind is how many releases must have something in common for it to be listed.
const behind = 3

// attribute is what releases may have in common.
type attribute func(*Release) string

var (
	byMessage attribute = func(r *Release) string { return r.pattern() }
	byChart   attribute = func(r *Release) string { return r.Chart }
	bySource  attribute = func(r *Release) string { return r.Source }
)

// causes returns what several releases have in common, the most frequent first: the message
// with the chart or the source that most of its releases share, then charts and sources of the
// releases that have no message in common.
func causes(all []Release) []Cause {
	var out []Cause
	add := func(c Cause, of []*Release) {
		c.count(all, of)
		out = append(out, c)
	}
	var left []*Release
	for _, same := range grouped(troubled(all), byMessage) {
		message := byMessage(same[0])
		if message == "" {
			left = append(left, same...)
			continue
		}
		for part := dominant(same); part != nil; part = dominant(same) {
			add(common(message, part), part)
			same = without(same, part)
		}
		if len(same) >= behind {
			add(Cause{Message: message}, same)
			continue
		}
		left = append(left, same...)
	}
	for _, by := range []attribute{byChart, bySource} {
		for _, same := range grouped(left, by) {
			if by(same[0]) != "" && len(same) >= behind {
				add(common("", same), same)
				left = without(left, same)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Cause) int { return cmp.Compare(len(b.Releases), len(a.Releases)) })
	return out
}

// troubled returns the releases that something keeps from being Ready, without those that only wait for others.
func troubled(all []Release) []*Release {
	var out []*Release
	for i := range all {
		if slices.Contains([]Phase{Stuck, Interrupted, Failing, Waiting}, all[i].Phase) && !all[i].follows() {
			out = append(out, &all[i])
		}
	}
	return out
}

// grouped returns releases by an attribute, the largest group first.
func grouped(all []*Release, by attribute) [][]*Release {
	groups := words.Alike[[]*Release](all, by)
	slices.SortStableFunc(groups, func(a, b []*Release) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(by(a[0]), by(b[0])))
	})
	return groups
}

// dominant returns those of releases with one chart or, without one, with one source, if they are
// half of them or more; nil if there is none.
func dominant(all []*Release) []*Release {
	for _, by := range []attribute{byChart, bySource} {
		for _, same := range grouped(all, by) {
			if by(same[0]) != "" && len(same) >= behind && 2*len(same) >= len(all) {
				return same
			}
		}
	}
	return nil
}

func without(all, some []*Release) []*Release {
	out := map[*Release]bool{}
	for _, r := range some {
		out[r] = true
	}
	return slices.DeleteFunc(slices.Clone(all), func(r *Release) bool { return out[r] })
}

// common returns the cause of releases with one chart or one source.
func common(message string, all []*Release) Cause {
	if chart := byChart(all[0]); chart != "" && !slices.ContainsFunc(all, func(r *Release) bool { return r.Chart != chart }) {
		return Cause{Message: message, Chart: chart}
	}
	return Cause{Message: message, Source: bySource(all[0])}
}

func (c *Cause) count(all []Release, of []*Release) {
	clusters := map[string]bool{}
	for _, r := range of {
		clusters[r.Cluster] = true
		c.Releases = append(c.Releases, r.label())
	}
	c.Clusters = len(clusters)
	slices.Sort(c.Releases)
	for i := range all {
		if c.Chart != "" && all[i].Chart == c.Chart || c.Source != "" && all[i].Source == c.Source {
			c.Of++
		}
	}
}

// String says a cause in a line.
func (c Cause) String() string {
	line := fmt.Sprintf("%d releases", len(c.Releases))
	what := ""
	switch {
	case c.Chart != "":
		what = " of chart " + c.Chart
	case c.Source != "":
		what = " of " + c.Source
	}
	if what != "" {
		line = fmt.Sprintf("%d of %d releases%s", len(c.Releases), c.Of, what)
	}
	if c.Clusters > 1 {
		line += fmt.Sprintf(" in %d clusters", c.Clusters)
	}
	if c.Message != "" {
		return line + ": " + c.Message
	}
	return line + ": their messages differ"
}

// named names some of the releases.
func (c Cause) named() string { return words.First(c.Releases, most, "") }

var (
	wordsOf = regexp.MustCompile(`[\pL\pN][\pL\pN._@-]*`)
	// volatile are numbers, durations, times, addresses and hashes.
	volatile = regexp.MustCompile(`^(\d+|(\d+(\.\d+)?(ns|µs|ms|s|m|h))+|\d{4}-\d\d-\d\d(T\d+)?|\d+(\.\d+)?Z|\d+(\.\d+){3}|[0-9a-f]*\d[0-9a-f]{6,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})[.]?$`)
	stars    = regexp.MustCompile(`\*([/:]\*)+`)
)

// Of a long message the beginning and the end are compared: the middle is cut where names end.
const (
	longPattern = 160
	beginning   = 40
	ending      = 110
)

// pattern is the message of the last failure with * for what differs from release to release.
func (r *Release) pattern() string {
	chart, _, _ := strings.Cut(r.Chart, " ")
	names := []string{r.Name.Name, r.Namespace, r.Cluster, chart}
	text := wordsOf.ReplaceAllStringFunc(r.After, func(word string) string {
		if volatile.MatchString(word) || slices.ContainsFunc(names, func(name string) bool { return holds(word, name) }) {
			return "*"
		}
		return word
	})
	text = stars.ReplaceAllString(text, "*")
	if all := []rune(text); len(all) > longPattern {
		return string(all[:beginning]) + " ... " + string(all[len(all)-ending:])
	}
	return text
}

// holds reports whether a word is a name, or has it as a part between hyphens or dots.
func holds(word, name string) bool {
	if name == "" || !strings.Contains(word, name) {
		return false
	}
	dashed := strings.NewReplacer(".", "-", "_", "-", "@", "-")
	return strings.Contains("-"+dashed.Replace(word)+"-", "-"+dashed.Replace(name)+"-")
}
