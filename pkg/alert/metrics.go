package alert

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Metrics are those that say whether an object of Flux is ready.
// Source: the monitoring pages of Flux and flux-operator.
var Metrics = []string{"gotk_resource_info", "gotk_reconcile_condition", "flux_resource_info"}

// always are those of them that are 1 as long as there is an object.
var always = []string{"gotk_resource_info", "flux_resource_info"}

// Certainty says whether something is so.
type Certainty int

// The certainties, in order.
const (
	No Certainty = iota
	Maybe
	Yes
)

// Reads reports whether an expression of PromQL has a value because of one of some metrics.
func Reads(expr string, metrics []string) bool {
	return slices.ContainsFunc(selectors(expr), func(s selector) bool { return slices.Contains(metrics, s.metric) })
}

// Recorded are metrics that rules make of others, with the expressions that they have by
// name.
type Recorded map[string][]string

// Fires says whether an alert with an expression tells of the failures of a HelmRelease.
func (r Recorded) Fires(expr string, s Subject) Certainty { return r.fires(expr, s, 0) }

// deepest is how many recorded metrics may be made of each other.
const deepest = 8

func (r Recorded) fires(expr string, s Subject, depth int) Certainty {
	found := No
	for _, one := range selectors(expr) {
		for _, of := range r[one.metric] {
			if depth < deepest {
				found = max(found, min(one.matches(s), r.fires(of, s, depth+1)))
			}
		}
		if slices.Contains(Metrics, one.metric) && !neverTrue(expr, one) {
			found = max(found, one.matches(s))
		}
	}
	return found
}

// comparison is an expression that compares one selector with a number.
var comparison = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[\s(]*\w+\s*(?:\{[^}]*\})?[\s)]*(==|!=|>=|<=|>|<)\s*([0-9.]+)[\s)]*$`)
})

// neverTrue reports whether an expression compares what is always 1 with a number that it is
// not.
func neverTrue(expr string, s selector) bool {
	m := comparison().FindStringSubmatch(expr)
	if m == nil || !slices.Contains(always, s.metric) {
		return false
	}
	n, err := strconv.ParseFloat(m[2], 64)
	if err != nil {
		return false
	}
	return !map[string]bool{"==": n == 1, "!=": n != 1, ">=": 1 >= n, "<=": 1 <= n, ">": 1 > n, "<": 1 < n}[m[1]]
}

// neutral are labels that say how a metric came about, and not of which object it is.
var neutral = []string{
	"job", "instance", "endpoint", "pod", "container", "service", "prometheus", "customresource_group", "customresource_version", "type", "reason", "revision", "path",
}

// matches says whether the matchers of a selector let the metric of a HelmRelease through
// that has failed.
func (s selector) matches(of Subject) Certainty {
	values := map[string][]string{
		"kind": {of.Kind}, "customresource_kind": {of.Kind}, "exported_kind": {of.Kind},
		"name": {of.Name}, "exported_name": {of.Name},
		"exported_namespace": {of.Namespace}, "namespace": {of.Namespace, "flux-system"}, // or that of the exporter
		"ready": {"False", "Unknown"}, "status": {"False", "True", "Unknown"}, "suspended": {"False", "false", ""},
	}
	found := Yes
	for _, m := range s.matchers {
		known, listed := values[m.label]
		switch {
		case m.label == "__name__" || slices.Contains(neutral, m.label):
		case !listed || strings.Contains(m.value, "$") || strings.Contains(m.value, "{{"):
			found = min(found, Maybe)
		case !slices.ContainsFunc(known, m.matches):
			return No
		}
	}
	return found
}

// matches reports whether a matcher lets a value through. Prometheus takes no rule with an
// expression that is not valid.
func (m matcher) matches(value string) bool {
	same := m.value == value
	if strings.HasSuffix(m.operator, "~") {
		exp, err := regexp.Compile("^(?:" + m.value + ")$")
		if err != nil {
			return false
		}
		same = exp.MatchString(value)
	}
	return same != strings.HasPrefix(m.operator, "!")
}
