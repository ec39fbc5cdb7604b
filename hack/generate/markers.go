package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// marker is the doc comment of a field.
type marker string

func (m marker) enum() []string {
	if values := m.find(`validation:Enum=(\S+)`); values != "" {
		return strings.Split(values, ";")
	}
	return nil
}

// pattern returns the regular expression, however the marker quotes it.
func (m marker) pattern() string {
	quoted := m.find(`validation:Pattern=(\S+)`)
	if text, err := strconv.Unquote(quoted); err == nil {
		return text
	}
	return quoted
}

func (m marker) number(name string) int {
	n, _ := strconv.Atoi(m.find(`validation:` + name + `=(\d+)`))
	return n
}

// required follows controller-gen; what has a default is filled in before it
// is missed.
func (m marker) required(omitempty bool) bool {
	if m.find(`kubebuilder:(default)`) != "" {
		return false
	}
	if m.find(`(?m)^\s*\+(required|kubebuilder:validation:Required)$`) != "" {
		return true
	}
	return !omitempty && m.find(`(?m)^\s*\+(optional|kubebuilder:validation:Optional)$`) == ""
}

func (m marker) find(pattern string) string {
	if found := regexp.MustCompile(pattern).FindStringSubmatch(string(m)); found != nil {
		return found[1]
	}
	return ""
}

// markers are the doc comments of struct fields, by import path and Type.Field.
type markers map[string]map[string]marker

// of reads those of a package.
func (m markers) of(pkg string) (map[string]marker, error) {
	if known, ok := m[pkg]; ok {
		return known, nil
	}
	found, err := build.Default.Import(pkg, ".", build.FindOnly)
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(found.Dir, "*.go"))
	if err != nil {
		return nil, err
	}
	m[pkg] = map[string]marker{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				addMarkers(spec, m[pkg])
			}
			return true
		})
	}
	return m[pkg], nil
}

func addMarkers(spec *ast.TypeSpec, found map[string]marker) {
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range structure.Fields.List {
		for _, ident := range f.Names {
			found[spec.Name.Name+"."+ident.Name] = marker(commentText(f.Doc))
		}
	}
}

// commentText returns a comment with its markers, which Text leaves out.
func commentText(doc *ast.CommentGroup) string {
	var b strings.Builder
	if doc == nil {
		return ""
	}
	for _, line := range doc.List {
		b.WriteString(strings.TrimPrefix(line.Text, "//") + "\n")
	}
	return b.String()
}
