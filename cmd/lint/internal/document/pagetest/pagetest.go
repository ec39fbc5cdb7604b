// Package pagetest reads pages as a browser does.
package pagetest

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
)

var (
	inline   = regexp.MustCompile(`(?s)(<(script|style)( type="application/json" id="data")?>)(.*?)(</(?:script|style)>)`)
	requests = regexp.MustCompile(`(?i)https?:|//\w|@import|url\(|fetch|XMLHttp|WebSocket|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(`)
	policies = regexp.MustCompile(`content="(default-src [^"]*)"`)
)

// Check tests that a page is well formed and asks nobody for anything, and that its policy lets its own
// style and script run and nothing else. It returns the page without them.
func Check(t *testing.T, page string) (markup string) {
	t.Helper()
	markup = inline.ReplaceAllString(page, "$1$5")
	elements(t, markup)
	policy := html.UnescapeString(policies.FindString(markup))
	if !strings.HasPrefix(policy, `content="default-src 'none'`) || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %s", policy)
	}
	for _, own := range inline.FindAllStringSubmatch(page, -1) {
		sum := sha256.Sum256([]byte(own[4]))
		if own[3] == "" && !strings.Contains(policy, own[2]+"-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])) {
			t.Errorf("the page's policy forbids its %s: %s", own[2], policy)
		}
		if found := requests.FindString(own[4]); own[3] == "" && found != "" {
			t.Errorf("%s has %s", own[2], found)
		}
	}
	return markup
}

func elements(t *testing.T, markup string) {
	t.Helper()
	decoder := xml.NewDecoder(strings.NewReader(strings.TrimPrefix(markup, "<!doctype html>")))
	decoder.Entity = xml.HTMLEntity
	ids := map[string]bool{}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		element, _ := token.(xml.StartElement)
		for _, a := range element.Attr {
			switch name := a.Name.Local; {
			case name == "id" && ids[a.Value]:
				t.Errorf("two elements have the id %s", a.Value)
			case name == "id":
				ids[a.Value] = true
			case strings.HasPrefix(name, "on") || name == "style":
				t.Errorf("<%s> has %s, which the page's policy forbids", element.Name.Local, name)
			case (name == "href" || name == "src" || name == "action" || name == "srcset") && a.Value != "data:," && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("<%s> asks for %s", element.Name.Local, a.Value)
			}
		}
	}
}

// Data reads what a page has for its script.
func Data(t *testing.T, page string, into any) {
	t.Helper()
	own := inline.FindAllStringSubmatch(page, -1)
	for _, of := range own {
		if of[3] == "" {
			continue
		}
		packed, err := base64.StdEncoding.DecodeString(strings.Trim(of[4], `"`))
		if err != nil {
			t.Fatal(err)
		}
		raw, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewDecoder(raw).Decode(into); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatalf("no data among %d scripts and styles", len(own))
}
