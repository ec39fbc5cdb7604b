package library

import (
	"fmt"
	"regexp"
	"strings"
)

// scalars are values as they are written, of which readers of YAML think differently.
var scalars = []string{
	"0x10", "0o17", "017", "1e3", "1.0", "1.50", "-0", "+1", "1_000", `"0x10"`, "yes", "No", "on", `"yes"`, "~", "null", "Null", "''", `""`,
	"'it''s'", `"a\tb\u00fc\n"`, "2001-01-01", "12:30:45", "!!str 5", "!!int \"7\"", "x#y", "'x # y'", "ü", "😀",
	"{}", "[]", "{a: 1}", "[1, two, 3.0]", "'{a}'", "9007199254740993", "0.1e-7", "true", "'true'", "$x", "100%", "'@x'", "'*'",
	"\"a\\\n      b\"", "plain words\n      on two lines", "|\n      a\n      b\n", "|-\n      a\n\n      b", "|+\n      a\n\n", "|2-\n        a\n      b",
	">\n      a\n      b\n", ">-\n      a\n\n      b\n        c\n      d", ">+\n      a\n\n\n", ">2-\n        a\n      b", "|+\n\n      a\n\n      b\n", ">\n\n      a # b\n",
	"&anchor x", "a ", "'a '", "'- a'", "a,b", "\"\\\\\"", "'\\'", "=", "!!binary aGVsbG8=", "'${LITERAL:=x}'",
}

// rare are values of which some builds fail.
var rare = []string{".inf", "-.Inf", "a: b", "1e400", "<<", "*a", "@x", ".nan"}

// value is a value as it is written.
func value(r random) string {
	if r.in(150) {
		return pick(r, rare...)
	}
	return pick(r, scalars...)
}

// variable is a value of a variable.
func variable(r random) string {
	if r.in(10) {
		return pick(r, odd...)
	}
	return pick(r, "5", "true", "1h", "a", "x-y", "two words", "a/b", "ünï", "0x1F", "1e5", "null", "$", "two\nlines", "no", "1_0", "a,b")
}

// odd are values of variables that mean something in YAML, in a shell, or to envsubst.
var odd = []string{
	"5", "true", "1h", "a", "a: b", "x # y", "'q'", `"`, "'", "{a}", "*a", "&a", "two\nlines", "", " sp ", "ünï", "$", "${V1}", "$${V1}", "0x1F", "null", "- x",
	"\nlines", "lines\n", "more\n\n  lines\n\n", "%", "@x", "1e5", "[1, 2]", "12:30:45", "\\n", "a/b", "|", ">", "!x", "~", "no", "1_0", "a,b", "`", "?", ": ", "#",
}

const variables = 4

// use is a text in which a variable is used.
func use(r random) string {
	name := fmt.Sprintf("V%d", r.IntN(variables))
	form := pick(r,
		"${%s}", "${%s}", `"${%s}"`, "'${%s}'", "pre-${%s}", "${%s:-d}", "${%s:=d}", "${%s/a/b}", "${%s^^}", "${%s,,}", "${#%s}",
		"${%s:0:2}", "$${%s}", "$%s", "${%s//a/b}", "${%s#a}", "${%s%%a}", "${%s^}", "${%s-d}", "${UNDEFINED%s:=d}",
	)
	text := fmt.Sprintf(form, name)
	if r.in(6) && !strings.ContainsAny(text[:1], `"'`) {
		return block(r) + "\n      a " + text + "\n\n      " + text + "\n"
	}
	return text
}

// block is the beginning of a literal or a folded scalar.
func block(r random) string { return pick(r, "|", ">") + pick(r, "", "-", "+") }

var blocks = regexp.MustCompile(`(?m): [|>][-+]?$`)

// restyled is YAML whose literals are written in another style: with another end, and now and then folded.
func restyled(r random, text string) string {
	return blocks.ReplaceAllStringFunc(text, func(written string) string {
		if r.in(8) {
			return ": " + block(r)
		}
		return ": |" + pick(r, "", "-", "+")
	})
}

// duration is a text for a field that takes a duration.
func duration(r random) string {
	return pick(r, "1h", "10m", "30m0s", "${INTERVAL}", "${INTERVAL:=20m}", "${UNSET_INTERVAL:=15m}", `"5m"`)
}
