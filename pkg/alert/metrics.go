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

// selector selects the series of a metric by their labels.
type selector struct {
	metric   string
	matchers []matcher
}

type matcher struct{ label, operator, value string }

// tokens of PromQL, as far as selectors depend on them.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.Join([]string{
		`#[^\n]*`, quotedText, `\[[^\]]*\]`, // a comment, a text, a range
		`\{(?:[^"'` + "`" + `{}]|` + quotedText + `)*\}`, // matchers
		`[a-zA-Z_:][\w:]*`, `[()]`, `(?s:.)`,
	}, "|") + ")")
})

const quotedText = `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`"

var matching = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*(` + quotedText + `)`)
})

// labelled are the words before lists of labels.
var labelled = []string{"by", "without", "on", "ignoring", "group_left", "group_right"}

// selectors lists the selectors of an expression that it has a value by. What only
// takes others away, and what looks whether a metric is missing, is left out.
func selectors(expr string) []selector {
	var all []selector
	word := "" // the last one, which what follows may belong to
	open := []string{""}
	add := func(name, matchers string) {
		if name == "" && matchers == "" || slices.ContainsFunc(open, passive) {
			return
		}
		all = append(all, selectorOf(name, matchers))
	}
	for expr != "" {
		text := token().FindString(expr)
		expr = expr[len(text):]
		switch first := text[0]; {
		case strings.TrimSpace(text) == "" || first == '#':
			continue
		case first == '{':
			add(word, text)
			word = ""
		case first == '(':
			open, word = append(open, word), ""
		case isWord(first):
			add(word, "")
			if word = text; strings.EqualFold(text, "unless") {
				open[len(open)-1], word = "unless", ""
			}
			if slices.Contains([]string{"or", "and", "bool", "offset"}, strings.ToLower(text)) {
				word = ""
			}
		default:
			add(word, "")
			if word = ""; first == ')' && len(open) > 1 {
				open = open[:len(open)-1]
			}
		}
	}
	add(word, "")
	return all
}

func isWord(c byte) bool {
	return c == '_' || c == ':' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// passive reports whether what is within these parentheses gives no value to an expression.
func passive(before string) bool {
	before = strings.ToLower(before)
	return before == "unless" || strings.HasPrefix(before, "absent") || slices.Contains(labelled, before)
}

func selectorOf(name, matchers string) selector {
	s := selector{metric: name}
	for _, m := range matching().FindAllStringSubmatch(matchers, -1) {
		one := matcher{m[1], m[2], m[3][1 : len(m[3])-1]}
		if m[3][0] != '`' {
			one.value = strings.ReplaceAll(one.value, `\\`, `\`)
		}
		if one.label == "__name__" && one.operator == "=" {
			s.metric = one.value
		}
		s.matchers = append(s.matchers, one)
	}
	return s
}
