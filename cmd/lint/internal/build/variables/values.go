package variables

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v2"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit"
)

// Variables are substituted in the text of an object. Most objects have few texts with a
// variable: where it is certain to be the same, only these are written, substituted and read.

// simpleUse matches the uses of a variable that have no more than a default.
var simpleUse = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$\{(\w+)(:?[=-][A-Za-z0-9./-]*)?\}`) })

// use stands for such a use. Before it, and before another dollar or a bracket, a dollar may mean more than itself,
// which oddDollar matches.
const use = "\x00"

var oddDollar = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\$[{$\x00]`) })

// simpleValue matches values that mean the same wherever they stand in a text.
var simpleValue = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9./_:-]*[A-Za-z0-9/])?$`) })

// InValues substitutes the variables in the values of an object, with a marker for each unknown one and the reasons
// for it. It reports whether substitution in the object's text, as Flux does it, certainly has the same result. Values
// without variables are shared.
func (v *Variables) InValues(obj map[string]any) (object map[string]any, reasons map[string]string, ok bool) {
	if v.Check() != nil {
		return nil, nil, false
	}
	within := &inTexts{v, maxInTexts, map[string]string{}, map[string]bool{}}
	out, _, ok := within.value(obj, false)
	for name := range within.defaults { // one use without a default makes all of a name unknown
		ok = ok && within.reasons[name] == ""
	}
	object, isObject := out.(map[string]any)
	return object, within.reasons, ok && isObject
}

// inTexts substitutes variables in the texts of an object.
type inTexts struct {
	variables *Variables
	left      int // bytes of texts that may still be made
	reasons   map[string]string
	defaults  map[string]bool // the variables for which a default stands
}

// maxInTexts is the size of the texts with variables of an object, in bytes. Of one with
// larger ones it must be known how large it becomes before anything is substituted.
const maxInTexts = 64 << 10

// value returns a value, which may be an item of a list, with its variables substituted, and reports whether that is
// another value.
func (s *inTexts) value(value any, item bool) (out any, another, ok bool) {
	switch value := value.(type) {
	case map[string]any:
		out := value
		for key, inner := range value {
			changed, other, ok := s.value(inner, false)
			if !ok || strings.Contains(key, "$") || isMarked(key) {
				return nil, false, false
			}
			if other && !another {
				out, another = maps.Clone(value), true
			}
			if other {
				out[key] = changed
			}
		}
		return out, another, true
	case []any:
		out := value
		for i, inner := range value {
			changed, other, ok := s.value(inner, true)
			if !ok {
				return nil, false, false
			}
			if other && !another {
				out, another = slices.Clone(value), true
			}
			if other {
				out[i] = changed
			}
		}
		return out, another, true
	case string:
		if strings.Contains(value, "$") {
			out, ok := s.text(value, item)
			return out, out != any(value), ok
		}
	}
	return value, false, true
}

// text substitutes variables in one text, written where it stands: after a key or a dash. A "#"
// may begin a comment, which ends where a long text is folded. A text of several lines is written as it
// is or in double quotes, where letters mean themselves: it is a text whatever stands for the variables, and
// its lines begin and end as they did unless one is empty.
func (s *inTexts) text(text string, item bool) (any, bool) {
	v, lines := s.variables, strings.Contains(text, "\n")
	switch s.left -= len(text); {
	case s.left < 0 || oddDollar().MatchString(simpleUse().ReplaceAllLiteralString(text, use)):
		return nil, false
	case !strings.Contains(text, "${"):
		return text, true
	case isMarked(text):
		return nil, false
	case !lines && strings.Contains(text, "#"), lines && strings.HasSuffix(text, "$"): // what follows it is not seen
		return nil, false
	}
	for _, used := range simpleUse().FindAllStringSubmatch(text, -1) {
		value, known := v.Values[used[1]]
		if s.left -= len(value); s.left < 0 || !variableName().MatchString(used[1]) {
			return nil, false
		}
		reason := v.hidden(used[1])
		if !known && reason == "" && used[2] == "" {
			reason = Undefined
		}
		if reason != "" {
			s.reasons[used[1]] = reason
			continue
		}
		if !known {
			s.defaults[used[1]] = true
		}
		isEmpty := strings.Trim(used[2], ":=-") == "" // where a long text is folded, a space at its end may be lost
		if known && (!simpleValue().MatchString(value) || isMarked(value)) || !known && isEmpty {
			return nil, false
		}
	}
	if out, err := v.evalWith(text, s.reasons, marker); lines || isSurelyText(out) {
		return out, err == nil
	}
	return v.runIn(text, item, s.reasons)
}

// surelyText matches paths, addresses and what holds quotes itself: no other type of YAML is written with a slash or a
// quote in it.
var surelyText = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:[A-Za-z0-9.][A-Za-z0-9._:-]*/(?:[A-Za-z0-9./_:-]*[A-Za-z0-9/])?|"[A-Za-z0-9./_-]*")$`)
})

// isSurelyText reports whether YAML takes what is written for a text as it is, with quotes and without.
func isSurelyText(text string) bool { return yamledit.IsName(text) || surelyText().MatchString(text) }

// runIn substitutes variables in a text that is the value of a key, or the item of a list.
func (v *Variables) runIn(text string, item bool, reasons map[string]string) (any, bool) {
	var written any = text
	if item {
		written = []any{text}
	}
	data, err := yaml.Marshal(map[string]any{"text": written})
	if err != nil {
		return nil, false
	}
	out, err := v.run(string(data), reasons, marker)
	read, ok := out["text"]
	if err != nil || len(out) != 1 || !ok {
		return nil, false
	}
	if list, isList := read.([]any); item {
		if !isList || len(list) != 1 {
			return nil, false
		}
		read = list[0]
	}
	switch read.(type) {
	case map[string]any, []any:
		return nil, false
	}
	return read, true
}
