package document

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

var (
	//go:embed page.html
	parts string
	//go:embed page.css
	shared string
	//go:embed list.js
	listing string
)

// Frame is what stands around the content of a page: one file that needs no other and asks nobody
// for anything. Its rows are made by its script, of data that is in it.
//
//  1. [ParsePage] reads the template of a page beside the shared ones: head, filters, rows, foot (page.html).
//  2. [NewFrame] puts the shared style and script before those of the page (page.css, list.js), and says
//     in a Content-Security-Policy that nothing else may run.
//  3. [Pack] makes a small text of much data; the script has unpack for it.
type Frame struct {
	// Title is that of the tab, About says below the name of the program what the page is.
	Title, About string
	Version      string
	Policy       string
	Style        template.CSS
	Script       template.JS
	// Top names the element that a filter of a summary shows, Search says what is searched.
	Top, Search string
	Filters     []Choice
	Columns     []Choice
	// Sorted is the column that rows are sorted by at first.
	Sorted string
}

// Choice is a filter or a column: its name in the script, and what people read.
type Choice struct{ Name, Label string }

// Choices returns choices: names and labels in turn.
func Choices(pairs ...string) []Choice {
	var all []Choice
	for pair := range slices.Chunk(pairs, 2) {
		all = append(all, Choice{pair[0], pair[1]})
	}
	return all
}

// Part is a part of a bar: its place is of 100.
type Part[K comparable] struct {
	Of      K
	N       int
	At, Len float64
}

// Top is where the part of a column begins, whose first part stands on the ground.
func (p Part[K]) Top() float64 { return 100 - p.At - p.Len }

// Bar divides a bar of 100 for a number of things, by how many there are of each kind, in the order of the kinds.
func Bar[K comparable](kinds []K, by map[K]int, whole int) []Part[K] {
	var all []Part[K]
	at := 0.0
	for _, kind := range kinds {
		if n := by[kind]; n > 0 {
			length := 100 * float64(n) / float64(whole)
			all = append(all, Part[K]{kind, n, at, length})
			at += length
		}
	}
	return all
}

// NewFrame completes a frame with the style and the script of a page.
func NewFrame(f Frame, style, script string) Frame {
	style, script = shared+style, listing+script
	f.Style, f.Script, f.Policy = template.CSS(style), template.JS(script), ContentPolicy(style, script)
	return f
}

// ContentPolicy is the Content-Security-Policy of a page: its own style and script may run and nothing
// else, and nobody is asked for anything.
func ContentPolicy(style, script string) string {
	return fmt.Sprintf("default-src 'none'; img-src data:; style-src %s; script-src %s; base-uri 'none'; form-action 'none'", digest(style), digest(script))
}

// digest names an inline style or script.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// ParsePage reads the template of a page, beside the shared ones.
func ParsePage(funcs template.FuncMap, text string) *template.Template {
	t := template.New("page").Funcs(template.FuncMap{"lower": strings.ToLower}).Funcs(funcs)
	return template.Must(template.Must(t.Parse(parts)).Parse(text))
}

// Pack returns a value as JSON that the script unpacks: compressed, as a string.
func Pack(value any) (template.JS, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return "", err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := w.Write(raw); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	return template.JS(`"` + base64.StdEncoding.EncodeToString(packed.Bytes()) + `"`), nil
}
