package formats

import (
	"bytes"
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
)

// form is what junit-10.xsd of Jenkins allows: the attributes of each element,
// required ones with a star, and the elements in it.
var form = map[string]struct{ attributes, elements []string }{
	"testsuites": {[]string{"name", "time", "tests", "failures", "errors"}, []string{"testsuite"}},
	"testsuite": {
		[]string{"name*", "tests*", "failures*", "errors*", "group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
		[]string{"testsuite", "properties", "testcase", "system-out", "system-err"},
	},
	"properties": {nil, []string{"property"}}, "property": {[]string{"name*", "value*"}, nil},
	"testcase": {
		[]string{"name*", "time", "classname", "group"},
		[]string{"skipped", "error", "failure", "rerunFailure", "rerunError", "flakyFailure", "flakyError", "system-out", "system-err"},
	},
	"skipped": {[]string{"type", "message"}, nil}, "error": {[]string{"type", "message"}, nil},
	"failure": {[]string{"type", "message"}, nil}, "system-out": {}, "system-err": {},
}

// TestJUnit checks reports against the form, and lets a parser count the cases.
func TestJUnit(t *testing.T) {
	written(t, "junit", false, func(t *testing.T, out []byte) {
		said := checkForm(t, out)
		suites, err := junit.Ingest(out)
		if err != nil {
			t.Fatal(err)
		}
		counted := map[string]int{}
		for _, suite := range suites {
			counted["tests"] += suite.Totals.Tests
			counted["failures"] += suite.Totals.Failed
			counted["errors"] += suite.Totals.Error
		}
		for _, a := range said {
			if n, ok := counted[a.Name.Local]; ok && a.Value != strconv.Itoa(n) {
				t.Errorf("%s %s, counted %d", a.Name.Local, a.Value, n)
			}
		}
		if counted["tests"] == 0 || counted["failures"] == 0 {
			t.Errorf("%v", counted)
		}
	})
}

// checkForm checks an element and returns the attributes of the root.
func checkForm(t *testing.T, out []byte) (root []xml.Attr) {
	t.Helper()
	decoder := xml.NewDecoder(bytes.NewReader(out))
	var above []string
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return root
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if len(above) == 0 {
				root = e.Attr
			} else if parent := above[len(above)-1]; !slices.Contains(form[parent].elements, e.Name.Local) {
				t.Errorf("<%s> in <%s>", e.Name.Local, parent)
			}
			checkAttributes(t, e)
			above = append(above, e.Name.Local)
		case xml.EndElement:
			above = above[:len(above)-1]
		}
	}
}

func checkAttributes(t *testing.T, e xml.StartElement) {
	t.Helper()
	allowed := form[e.Name.Local].attributes
	var has []string
	for _, a := range e.Attr {
		has = append(has, a.Name.Local)
		if !slices.Contains(allowed, a.Name.Local) && !slices.Contains(allowed, a.Name.Local+"*") {
			t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
		}
	}
	for _, name := range allowed {
		if name, must := strings.CutSuffix(name, "*"); must && !slices.Contains(has, name) {
			t.Errorf("<%s> has no %s", e.Name.Local, name)
		}
	}
}
