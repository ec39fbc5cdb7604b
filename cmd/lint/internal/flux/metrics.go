package flux

import (
	"bytes"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// alertsOnMetrics reports whether a manifest of the tree alerts on the metrics of Flux that
// say whether a HelmRelease is ready: a rule for Prometheus or Grafana, in an object of its
// own, in the values of a chart or in the data of a ConfigMap.
func (l *loader) alertsOnMetrics() bool {
	files := l.in.Files
	return slices.ContainsFunc(files.Paths(), func(name string) bool {
		if !build.IsManifest(name) {
			return false
		}
		data, err := files.File(name).Data()
		return err == nil && fluxMetrics.Match(data) && alerts(name, data)
	})
}

// fluxMetrics finds metrics that say whether an object of Flux is ready.
// Source: the monitoring pages of Flux and flux-operator.
var fluxMetrics = regexp.MustCompile(`\b(gotk_resource_info|gotk_reconcile_condition|flux_resource_info)`)

// alerts reports whether a file alerts on the metrics. Of what is no YAML, as the template of
// a chart, the lines are read.
func alerts(name string, data []byte) bool {
	file, err := yamledit.Parse(name, data)
	if err != nil {
		return templateAlerts(data)
	}
	return slices.ContainsFunc(file.Documents, func(d *yamledit.Document) bool {
		value, err := d.Decode()
		if err != nil {
			return templateAlerts(data)
		}
		return alertsIn(value, false)
	})
}

// alertsIn reports whether an expression below a value alerts on the metrics. A rule of
// Prometheus has the name of its alert beside it, one of Grafana a condition above.
func alertsIn(value any, rule bool) bool {
	switch v := value.(type) {
	case map[string]any:
		rule = rule || isText(v["alert"]) || isText(v["condition"])
		expr, _ := v["expr"].(string)
		if rule && onReleases(expr) {
			return true
		}
		for _, inner := range v {
			if alertsIn(inner, rule) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(v, func(inner any) bool { return alertsIn(inner, rule) })
	case string:
		return strings.Contains(v, "\n") && fluxMetrics.MatchString(v) && alerts("", []byte(v))
	}
	return false
}

func isText(value any) bool {
	text, ok := value.(string)
	return ok && text != ""
}

var (
	templateAlert = regexp.MustCompile(`(?m)^[\s-]*alert:`)
	templateLine  = regexp.MustCompile(`(?m)^\s*#.*|(?s:\{\{-?\s*/\*.*?\*/)`)
)

// templateAlerts reports whether a template has an alert, and an expression on the metrics.
func templateAlerts(data []byte) bool {
	data = templateLine.ReplaceAll(data, nil)
	_, after, found := bytes.Cut(data, []byte("expr:"))
	return found && templateAlert.Match(data) && onReleases(string(after))
}

var (
	comment = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`|#[^\\n]*")
	ofKind  = regexp.MustCompile("\\b\\w*kind\\s*(=~?|!=|!~)\\s*[\"'`]([^\"'`]*)[\"'`]")
)

// onReleases reports whether an expression of PromQL reads the metrics of HelmReleases: it
// names one of the metrics, and selects no other kinds.
func onReleases(expr string) bool {
	expr = comment.ReplaceAllStringFunc(expr, func(text string) string {
		if text[0] == '#' {
			return ""
		}
		return text
	})
	return fluxMetrics.MatchString(expr) && !slices.ContainsFunc(ofKind.FindAllStringSubmatch(expr, -1), otherKind)
}

// otherKind reports whether a matcher of kinds leaves out HelmReleases.
func otherKind(matcher []string) bool {
	operator, text := matcher[1], matcher[2]
	same := text == "HelmRelease"
	if strings.HasSuffix(operator, "~") {
		exp, err := regexp.Compile("^(?:" + text + ")$")
		same = err == nil && exp.MatchString("HelmRelease")
	}
	return same == strings.HasPrefix(operator, "!")
}
