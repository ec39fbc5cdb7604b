package alert

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// selector selects the series of a metric by their labels.
type selector struct {
	metric   string
	matchers []matcher
}

type matcher struct{ label, operator, value string }

// tokens of PromQL, as far as selectors depend on them.
var token = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:" + strings.Join([]string{
		`#[^\n]*`, quotedText, `\[[^\]]*\]`, // a comment, a text, a range
		`\{(?:[^"'` + "`" + `{}]|` + quotedText + `)*\}`, // matchers
		`[a-zA-Z_:][\w:]*`, `[()]`, `(?s:.)`,
	}, "|") + ")")
})

const quotedText = `"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|` + "`[^`]*`"

var matching = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*(` + quotedText + `)`)
})

// labelled are the words before lists of labels.
var labelled = []string{"by", "without", "on", "ignoring", "group_left", "group_right"}

// selectors lists the selectors of an expression that it has a value by. What only
// takes others away, and what looks whether a metric is missing, is left out.
func selectors(expr string) []selector {
	var all []selector
	word := "" // the last one, which what follows may belong to
	open := []string{""}
	add := func(name, matchers string) {
		if name == "" && matchers == "" || slices.ContainsFunc(open, passive) {
			return
		}
		all = append(all, selectorOf(name, matchers))
	}
	for expr != "" {
		text := token().FindString(expr)
		expr = expr[len(text):]
		switch first := text[0]; {
		case strings.TrimSpace(text) == "" || first == '#':
			continue
		case first == '{':
			add(word, text)
			word = ""
		case first == '(':
			open, word = append(open, word), ""
		case isWord(first):
			add(word, "")
			if word = text; strings.EqualFold(text, "unless") {
				open[len(open)-1], word = "unless", ""
			}
			if slices.Contains([]string{"or", "and", "bool", "offset"}, strings.ToLower(text)) {
				word = ""
			}
		default:
			add(word, "")
			if word = ""; first == ')' && len(open) > 1 {
				open = open[:len(open)-1]
			}
		}
	}
	add(word, "")
	return all
}

func isWord(c byte) bool {
	return c == '_' || c == ':' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// passive reports whether what is within these parentheses gives no value to an expression.
func passive(before string) bool {
	before = strings.ToLower(before)
	return before == "unless" || strings.HasPrefix(before, "absent") || slices.Contains(labelled, before)
}

// selectorOf reads the matchers of a selector.
func selectorOf(name, matchers string) selector {
	s := selector{metric: name}
	for _, m := range matching().FindAllStringSubmatch(matchers, -1) {
		one := matcher{m[1], m[2], m[3][1 : len(m[3])-1]}
		if m[3][0] != '`' {
			one.value = strings.ReplaceAll(one.value, `\\`, `\`)
		}
		if one.label == "__name__" && one.operator == "=" {
			s.metric = one.value
		}
		s.matchers = append(s.matchers, one)
	}
	return s
}
