package manifests

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"sync"

	"github.com/flux-remedy/remedy/cmd/lint/internal/tree"
	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// isTemplate reports whether a file's name is that of a template for manifests.
func isTemplate(name string) bool {
	return slices.Contains([]string{".j2", ".jinja", ".jinja2", ".tpl", ".tmpl", ".gotmpl"}, path.Ext(name))
}

// TemplateOf returns why the HelmReleases of a file are not known because a template
// engine writes them; "" if the file is no template. Parses reports whether it is YAML.
func TemplateOf(x *Index, name string, parses func() bool) string {
	switch {
	case !x.Look(name).Release:
		return ""
	case isTemplate(name):
		return "written by a template engine: what it makes of this file is not known here"
	case inChart(x.Files, name):
		return "template of a Helm chart: its values are not known here"
	case !parses() && templated().Match(x.Files.File(name).Again()):
		return "written by a template engine: not YAML before it ran"
	}
	return ""
}

// inChart reports whether a file is a template of a Helm chart: below a folder
// templates beside a Chart.yaml.
func inChart(files *tree.Tree, name string) bool {
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if path.Base(dir) == "templates" && files.Exists(path.Join(path.Dir(dir), "Chart.yaml")) {
			return true
		}
	}
	return false
}

// IsExample reports whether a file is an example on the page of a rule: bad.yaml or good.yaml beside
// the Rego of its folder.
func IsExample(files *tree.Tree, name string) bool {
	if base := path.Base(name); base != "bad.yaml" && base != "good.yaml" {
		return false
	}
	rego := files.File(path.Join(path.Dir(name), path.Base(path.Dir(name))+".rego"))
	return rego != nil && bytes.Contains(rego.Again(), []byte("package remedy."))
}

// Parses reports whether the result of a parse is YAML throughout.
func Parses(file *yamledit.File, err error) bool {
	return err == nil && !slices.ContainsFunc(file.Documents, func(d *yamledit.Document) bool { return d.Err != nil })
}

// templated matches the delimiters of Jinja and Helm where YAML would have a key or a whole
// value. Inside of a value {{ }} is normal.
var templated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?m)^\s*(- )?\{\{|^\s*\{%|^\s*#\{|:\s+\{\{`) })
