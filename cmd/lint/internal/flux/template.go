package flux

import (
	"os"
	"path"
	"path/filepath"
	"regexp"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// templateOf says why the HelmReleases of a file are written by a template
// engine and so cannot be known; "" if they are not.
func templateOf(rel, name string, data []byte) string {
	switch {
	case !mayHoldRelease(data):
		return ""
	case isTemplate(rel):
		return "written by a template engine from " + path.Base(rel)
	case inChart(name):
		return "template of a Helm chart: its values are not known here"
	case templated.Match(data) && !parses(data):
		return "written by a template engine: not YAML before it ran"
	}
	return ""
}

// inChart tells whether a file is a template of a Helm chart: below a folder
// templates beside a Chart.yaml.
func inChart(name string) bool {
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "templates" {
			if _, err := os.Stat(filepath.Join(filepath.Dir(dir), "Chart.yaml")); err == nil {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

func parses(data []byte) bool {
	file, err := yamledit.Parse("", data)
	if err != nil {
		return false
	}
	for _, doc := range file.Documents {
		if doc.Err != nil {
			return false
		}
	}
	return true
}

// templated finds the marks of Jinja and Helm templates where YAML would have
// a key or a whole value; inside of values {{ }} is normal.
var templated = regexp.MustCompile(`(?m)^\s*(- )?\{\{|^\s*\{%|^\s*#\{|:\s+\{\{`)
