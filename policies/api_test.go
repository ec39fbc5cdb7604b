package policies_test

import (
	"encoding/json"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"github.com/fluxcd/helm-controller/api/v2beta1" //lint:ignore SA1019 compared with v2
	"github.com/fluxcd/helm-controller/api/v2beta2"
	"github.com/open-policy-agent/opa/v1/rego"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// field is an entry of data.remedy.lib.fields: what the API says of one field.
type field struct {
	Type     string   `json:"type"`
	Enum     []string `json:"enum,omitempty"`
	Min      int      `json:"min,omitempty"`
	Max      int      `json:"max,omitempty"`
	Pattern  string   `json:"pattern,omitempty"`
	Required []string `json:"required,omitempty"`
	Since    string   `json:"since,omitempty"`
}

// TestAPIFields holds the policies' table of fields to the Go types of
// helm-controller's API and to the kubebuilder markers in their source.
func TestAPIFields(t *testing.T) {
	table := apiFields(t)
	api := typesOf(t, reflect.TypeFor[helmv2.HelmReleaseSpec]())
	for _, path := range slices.Sorted(maps.Keys(api)) {
		got, ok := table[path]
		got.Since = ""
		if want := api[path]; !ok || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: the table says %+v, the API %+v", path, got, want)
		}
	}
	for path := range table {
		if _, ok := api[path]; !ok {
			t.Errorf("%q: the API has no such field", path)
		}
	}
}

// TestAPISince compares the versions in the table with the beta APIs: none of
// them has what is newer than v2, and they have everything else.
func TestAPISince(t *testing.T) {
	table := apiFields(t)
	for _, version := range []struct {
		name  string
		spec  reflect.Type
		lacks []string
	}{
		{"v2beta2", reflect.TypeFor[v2beta2.HelmReleaseSpec](), nil},
		{"v2beta1", reflect.TypeFor[v2beta1.HelmReleaseSpec](), []string{"test.filters", "chart.spec.ignoreMissingValuesFiles"}},
	} {
		beta := typesOf(t, version.spec)
		for path := range table {
			if strings.HasPrefix(path, "kubeConfig.") {
				continue // one Go type for all versions
			}
			lacks := slices.ContainsFunc(version.lacks, func(f string) bool { return strings.HasPrefix(path+".", f+".") })
			if _, ok := beta[path]; ok == (lacks || newerThanBeta(table, path)) {
				t.Errorf("%s in %s: %v, the table says otherwise", path, version.name, ok)
			}
		}
	}
}

// newerThanBeta tells whether a field or one above it has a version.
func newerThanBeta(table map[string]field, path string) bool {
	steps := strings.Split(path, ".")
	for i := range steps {
		if table[strings.Join(steps[:i+1], ".")].Since != "" {
			return true
		}
	}
	return false
}

// apiFields reads the table from the policies.
func apiFields(t *testing.T) map[string]field {
	t.Helper()
	results, err := rego.New(
		rego.Query("data.remedy.lib.fields"), rego.Load([]string{"lib/fields.rego"}, nil),
	).Eval(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(results[0].Expressions[0].Value)
	if err != nil {
		t.Fatal(err)
	}
	var lib struct {
		Limited  map[string]field `json:"limited"`
		Plain    map[string]field `json:"plain"`
		Duration string           `json:"duration"`
		Newest   string           `json:"newest"`
	}
	if err := json.Unmarshal(raw, &lib); err != nil {
		t.Fatal(err)
	}
	for path, entry := range lib.Plain {
		if !reflect.DeepEqual(entry, field{Type: entry.Type}) || entry.Type == "duration" || strings.HasSuffix(path, "*") {
			t.Errorf("%q is no plain field: %+v", path, entry)
		}
	}
	newest := slices.MaxFunc(slices.Collect(maps.Values(lib.Limited)), func(a, b field) int {
		return semver.Compare("v"+a.Since, "v"+b.Since)
	})
	if newest.Since != lib.Newest {
		t.Errorf("the newest field came with %s, and newest is %s", newest.Since, lib.Newest)
	}
	for path, field := range lib.Limited {
		if field.Type == "duration" {
			field.Pattern = lib.Duration
			lib.Limited[path] = field
		}
	}
	maps.Copy(lib.Limited, lib.Plain)
	return lib.Limited
}

// apiReader collects the fields of Go types, with the markers of their source.
type apiReader struct {
	t        *testing.T
	fields   map[string]field
	packages map[string]map[string]marker // by import path, then Type.Field
}

// typesOf gives the fields of a HelmRelease's spec; that of the spec itself has
// an empty path.
func typesOf(t *testing.T, spec reflect.Type) map[string]field {
	t.Helper()
	r := apiReader{t: t, fields: map[string]field{}, packages: map[string]map[string]marker{}}
	r.add(spec, "")
	return r.fields
}

// add adds the fields at and below a path.
func (r *apiReader) add(typ reflect.Type, path string) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	own := r.fields[path]
	own.Type = kindOf(typ)
	switch own.Type {
	case "array":
		r.add(typ.Elem(), path+".*")
	case "object":
		own.Required = r.addStruct(typ, path)
	}
	r.fields[path] = own
}

// addStruct adds the fields of a struct and gives the required ones.
func (r *apiReader) addStruct(typ reflect.Type, path string) (required []string) {
	for _, f := range reflect.VisibleFields(typ) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		at := strings.TrimPrefix(path+"."+name, ".")
		marker := r.markers(typ.PkgPath())[typ.Name()+"."+f.Name]
		r.fields[at] = field{
			Enum: marker.enum(), Pattern: marker.pattern(),
			Min: marker.number("MinLength"), Max: marker.number("MaxLength"),
		}
		r.add(f.Type, at)
		if marker.required(strings.Contains(options, "omitempty")) {
			required = append(required, name)
		}
	}
	return required
}

// kindOf names a type as the table does.
func kindOf(typ reflect.Type) string {
	switch typ {
	case reflect.TypeFor[metav1.Duration]():
		return "duration"
	case reflect.TypeFor[apiextensionsv1.JSON]():
		return "any"
	}
	switch typ.Kind() {
	case reflect.Bool:
		return "boolean"
	case reflect.String:
		return "string"
	case reflect.Int, reflect.Int32, reflect.Int64:
		return "integer"
	case reflect.Slice:
		return "array"
	case reflect.Map:
		return "strings"
	}
	return "object"
}

// marker is the doc comment of a field.
type marker string

func (m marker) enum() []string {
	if values := m.find(`validation:Enum=(\S+)`); values != "" {
		return strings.Split(values, ";")
	}
	return nil
}

// pattern gives the regular expression, however the marker quotes it.
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

// markers reads the doc comments of all struct fields of a package.
func (r *apiReader) markers(path string) map[string]marker {
	if known, ok := r.packages[path]; ok {
		return known
	}
	pkg, err := build.Default.Import(path, ".", build.FindOnly)
	if err != nil {
		r.t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(pkg.Dir, "*.go"))
	if err != nil {
		r.t.Fatal(err)
	}
	found := map[string]marker{}
	r.packages[path] = found
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			r.t.Fatal(err)
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if spec, ok := node.(*ast.TypeSpec); ok {
				addMarkers(spec, found)
			}
			return true
		})
	}
	return found
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

// commentText gives a comment with its markers, which Text leaves out.
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
