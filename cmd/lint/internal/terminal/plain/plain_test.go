package plain

import (
	"bytes"
	"encoding/json"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestLine(t *testing.T) {
	for in, want := range map[string]string{
		"":                               "",
		"apps/shop in cluster live":      "apps/shop in cluster live",
		"größe 5 µs, 名前":                 "größe 5 µs, 名前",
		"a\nb\r\n\tc":                    "a b   c",
		"\x1b[31mred\x1b[0m":             `\x1b[31mred\x1b[0m`,
		"\u009b31m":                      `\u009b31m`,
		"a\u202eb\u2066c\u200bd\ufeffe":  `a\u202eb\u2066c\u200bd\ufeffe`,
		"a\u2028b\u00a0c":                `a\u2028b\u00a0c`,
		"\U000e0041":                     `\U000e0041`,
		"a\xff":                          "a\ufffd",
		"::error::x":                     `:\:error::x`,
		" \u2003::error::x":              ` \u2003:\:error::x`,
		"std::vector and a::b":           "std::vector and a::b",
		"x ::set-output name=a::b":       `x :\:set-output name=a::b`,
		"a\n::error::x.yaml":             `a :\:error::x.yaml`,
		"x ##[group]y ##vso[task.a]b":    `x #\#[group]y #\#vso[task.a]b`,
		"###[error]":                     `##\#[error]`,
		"## heading, issue #1 and C## [": "## heading, issue #1 and C## [",
	} {
		if got := Line(in); got != want {
			t.Errorf("Line(%q) = %q, want %q", in, got, want)
		}
	}
	if got := Text("a\n  ::error::x\r\n\x00"); got != "a\n  :\\:error::x\n"+`\x00` {
		t.Errorf("Text = %q", got)
	}
}

// FuzzLine: a line is printable and no command, and stays as it is.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{"::a", "##[a", "####vso[", ":::", "\u00a0::", "\xff::", "a\u202e##\u200b["} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		line := Line(s)
		if strings.IndexFunc(line, unprintable) >= 0 {
			t.Errorf("%q is not printable", line)
		}
		if command(line) {
			t.Errorf("%q is a command", line)
		}
		if again := Line(line); again != line {
			t.Errorf("%q becomes %q", line, again)
		}
		var out bytes.Buffer
		if err := WriteJSON(&out, []string{s}); err != nil {
			t.Fatal(err)
		}
		var back []string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back[0] != string([]rune(s)) {
			t.Errorf("%q comes back as %q, %v", s, back, err)
		}
		if slices.ContainsFunc(strings.Split(out.String(), "\n"), command) || strings.IndexFunc(strings.ReplaceAll(out.String(), "\n", ""), unprintable) >= 0 {
			t.Errorf("JSON %q steers a log", out.String())
		}
	})
}

// command reports whether a runner would take a line for a command.
func command(line string) bool {
	return strings.HasPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[")
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

func TestCopy(t *testing.T) {
	type inner struct{ Name string }
	type whole struct {
		inner // promoted, of an unexported type
		Inner *inner
		Names []string
		By    map[string]any
		Any   any
		File  Verbatim
		n     int
	}
	evil := "\x1b"
	in := whole{
		inner: inner{evil}, Inner: &inner{evil}, Names: []string{evil}, By: map[string]any{evil: []any{evil, 1}},
		Any: inner{evil}, File: Verbatim(evil), n: 3,
	}
	want := whole{
		inner: inner{evil}, Inner: &inner{`\x1b`}, Names: []string{`\x1b`}, By: map[string]any{`\x1b`: []any{`\x1b`, 1}},
		Any: inner{`\x1b`}, File: Verbatim(evil), n: 3,
	}
	if got := Copy(in, Line); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	if in.Inner.Name != evil || in.Names[0] != evil {
		t.Error("the original has changed")
	}
}

// What is escaped and what is not, beside each other and at both ends.
func TestWriteJSONEscapes(t *testing.T) {
	var out strings.Builder
	if err := WriteJSON(&out, []string{"##vso[\u202e# ##é[é😀\U000e0001#", "##\n##x", "\x7f##"}); err != nil {
		t.Fatal(err)
	}
	want := `[
  "\u0023#vso[\u202e# \u0023#é[é😀\udb40\udc01#",
  "##\n##x",
  "\u007f##"
]
`
	if out.String() != want {
		t.Errorf("%q is written as %s", want, out.String())
	}
}

// Lists that are written item by item are what all of them are.
func TestListOf(t *testing.T) {
	type object struct {
		Text  string           `json:"text"`
		Items []map[string]any `json:"items"`
		Last  []int            `json:"last"`
		More  []int            `json:"more"`
	}
	item := map[string]any{"a": "\n  \"items\": []", "b": []int{1, 2}, "c": map[string]any{"<&>": "\u202e##[x]\x1b"}, "d": []any{}}
	for _, items := range [][]map[string]any{{}, {item}, {item, {}, item}} {
		more := []int{1, 2}[:len(items)%3]
		o := object{"\n  \"items\": []", items, nil, more}
		var whole, parts bytes.Buffer
		if err := WriteJSON(&whole, o); err != nil {
			t.Fatal(err)
		}
		o.Items, o.More = []map[string]any{}, []int{}
		if err := WriteJSON(&parts, o, ListOf("items", items), ListOf("more", more)); err != nil || parts.String() != whole.String() {
			t.Errorf("%v:\n%s\nwant\n%s", err, parts.String(), whole.String())
		}
	}
}

// To write a list takes no memory for the text of all of it.
func TestListOfHoldsOne(t *testing.T) {
	item := map[string]string{"text": strings.Repeat("a", 1000)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := WriteJSON(io.Discard, map[string]any{"items": []int{}}, ListOf("items", slices.Repeat([]map[string]string{item}, 10_000)))
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; err != nil || n > 5_000_000 {
		t.Errorf("%v, and %d bytes are allocated for 10 MB", err, n)
	}
}
