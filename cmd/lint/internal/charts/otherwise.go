package charts

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// otherwise returns a copy of the job in which other texts replace those that Secrets supply. It reports whether there
// are any.
// What templates make of a secret (a part, a hash, another case) is not rendered of that: so it is known as
// secret whatever they do.
func (j Job) otherwise(holds func(text string) bool) (Job, bool) {
	t := turner{holds: holds}
	j.From = slices.Clone(j.From)
	for i := range j.From {
		j.From[i].Text = t.source(j.From[i])
	}
	j.Values, _ = t.turn(j.Values).(map[string]any)
	j.PostRenderers, _ = t.turn(j.PostRenderers).([]any)
	j.CommonMetadata, _ = t.turn(j.CommonMetadata).(map[string]any)
	return j, t.turned
}

// turner turns what Secrets supply into something else.
type turner struct {
	holds  func(text string) bool // what Secrets supply
	all    bool                   // or everything
	turned bool                   // something was
}

// source turns what a ConfigMap or Secret holds under a key.
func (t *turner) source(v Values) string {
	t.all = v.Secret
	defer func() { t.all = false }()
	var values map[string]any
	if v.Path == "" && yaml.Unmarshal([]byte(v.Text), &values) == nil {
		if text, err := json.Marshal(t.turn(values)); err == nil {
			return string(text)
		}
	}
	return t.text(v.Text)
}

// turn turns the texts and numbers in a value, and leaves its shape.
func (t *turner) turn(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := maps.Clone(v)
		for key := range out {
			out[key] = t.turn(out[key])
		}
		return out
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = t.turn(out[i])
		}
		return out
	case string:
		return t.text(v)
	case float64:
		if t.all || t.holds(fmt.Sprint(v)) {
			t.turned = true
			return 3*v + 1
		}
	case int64:
		if t.all || t.holds(fmt.Sprint(v)) {
			t.turned = true
			return 3*v + 1
		}
	}
	return v
}

// text turns letters into other letters and digits into other digits: a text that is checked for its
// length or its characters passes as before.
func (t *turner) text(text string) string {
	if !t.all && !t.holds(text) {
		return text
	}
	t.turned = true
	return strings.Map(func(r rune) rune {
		switch {
		case '0' <= r && r <= '9':
			return '0' + (r-'0'+3)%10
		case 'a' <= r && r <= 'z':
			return 'a' + (r-'a'+11)%26
		case 'A' <= r && r <= 'Z':
			return 'A' + (r-'A'+11)%26
		case r > '~':
			return r ^ 1
		}
		return r
	}, text)
}

// Words are those that are no secret.
type Words map[string]bool

// WordsOf returns the words of texts.
func WordsOf(texts ...string) Words {
	out := Words{}
	for _, text := range texts {
		for word := range strings.FieldsSeq(text) {
			out[word] = true
		}
	}
	return out
}

// Hide puts another text in place of each word that is not one of them.
func (w Words) Hide(text, instead string) string {
	var out []string
	for word := range strings.FieldsSeq(text) {
		if !w[word] {
			word = instead
		}
		if len(out) == 0 || word != instead || out[len(out)-1] != word {
			out = append(out, word)
		}
	}
	return strings.Join(out, " ")
}
