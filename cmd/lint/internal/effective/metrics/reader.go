package metrics

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
	"github.com/flux-remedy/remedy/pkg/alert"
)

// ruleReader collects rules on metrics.
type ruleReader struct {
	metrics  []string
	in       Alert // where it reads
	alerts   []Alert
	recorded alert.Recorded
}

// file reads the rules of a file. Of what is no YAML, as the template of a chart, the lines are
// read.
func (r *ruleReader) file(data []byte) {
	file, err := yamledit.Parse(r.in.File, data)
	if err != nil {
		r.templated(data)
		return
	}
	for _, d := range file.Documents {
		value, err := d.Decode()
		if err != nil {
			r.templated(data)
			return
		}
		r.value(value, "")
	}
}

// value reads the rules below a value. One of Prometheus has the name of its alert beside its
// expression, one of Grafana a condition above, and a title. rule is the name of the one above.
func (r *ruleReader) value(value any, rule string) {
	switch v := value.(type) {
	case map[string]any:
		if v["isPaused"] == true {
			return
		}
		r.expression(v, firstText(v["alert"], titled(v), rule))
		for _, inner := range slices.Sorted(maps.Keys(v)) {
			r.value(v[inner], firstText(v["alert"], titled(v), rule))
		}
	case []any:
		for _, inner := range v {
			r.value(inner, rule)
		}
	case string:
		if strings.Contains(v, "\n") && r.mentions([]byte(v)) {
			r.file([]byte(v))
		}
	}
}

// titled returns the title of a rule of Grafana; nil of what is none.
func titled(rule map[string]any) any {
	if firstText(rule["condition"]) == "" {
		return nil
	}
	return firstText(rule["title"], rule["uid"], rule["condition"])
}

func firstText(values ...any) string {
	for _, value := range values {
		if text, _ := value.(string); text != "" {
			return text
		}
	}
	return ""
}

// expression takes up the expression of a rule, if it has one on the metrics.
func (r *ruleReader) expression(rule map[string]any, name string) {
	expr, _ := rule["expr"].(string)
	record, _ := rule["record"].(string)
	switch {
	case !alert.Reads(expr, r.metrics):
	case record != "":
		r.recorded[record] = append(r.recorded[record], expr)
	case name != "":
		one := r.in
		one.name, one.expr = name, expr
		r.alerts = append(r.alerts, one)
	}
}

func (r *ruleReader) mentions(text []byte) bool {
	return slices.ContainsFunc(r.metrics, func(name string) bool { return bytes.Contains(text, []byte(name)) })
}

var (
	templateAlert = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^[\s-]*alert:`) })
	templateLine  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*#.*|(?s:\{\{-?\s*/\*.*?\*/)`) })
)

// templated takes up a template that has an alert, and an expression on the metrics.
func (r *ruleReader) templated(data []byte) {
	data = templateLine().ReplaceAll(data, nil)
	if _, after, found := bytes.Cut(data, []byte("expr:")); found && templateAlert().Match(data) && r.mentions(after) {
		one := r.in
		one.template = true
		r.alerts = append(r.alerts, one)
	}
}
