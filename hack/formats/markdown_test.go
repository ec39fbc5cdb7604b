package formats

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	unsafe "github.com/yuin/goldmark/renderer/html"
)

var element = regexp.MustCompile(`</?([a-z0-9]+)[^>]*>`)

// TestMarkdown renders as GitHub does. No text of a manifest becomes markup, and
// every element is closed.
func TestMarkdown(t *testing.T) {
	renderer := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(unsafe.WithUnsafe()))
	known := strings.Fields("h2 h3 p details summary b strong code pre ul li br table thead tbody tr th td")
	written(t, "markdown", true, func(t *testing.T, out []byte) {
		var page bytes.Buffer
		if err := renderer.Convert(out, &page); err != nil {
			t.Fatal(err)
		}
		written := page.String()
		var open []string
		for _, m := range element.FindAllStringSubmatch(written, -1) {
			switch {
			case !slices.Contains(known, m[1]):
				t.Errorf("%s becomes an element", m[0])
			case m[1] == "br":
			case !strings.HasPrefix(m[0], "</"):
				open = append(open, m[1])
			case len(open) == 0 || open[len(open)-1] != m[1]:
				t.Fatalf("%s closes %v", m[0], open)
			default:
				open = open[:len(open)-1]
			}
		}
		text := strings.ReplaceAll(html.UnescapeString(element.ReplaceAllString(written, "")), "\u200b", "")
		if len(open) > 0 || strings.Contains(text, "<details>") {
			t.Errorf("open %v in:\n%s", open, written)
		}
		if strings.Contains(string(out), "unknown.yaml") && !strings.Contains(text, shown) || strings.Contains(strings.ReplaceAll(text, shown, ""), "error::x") {
			t.Errorf("what a manifest says does not stand there as it is:\n%s", text)
		}
	})
}
