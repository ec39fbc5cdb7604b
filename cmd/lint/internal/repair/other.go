package repair

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// otherText says in one line what the other class that would be accepted writes, and how it is
// chosen. Kind is that of --fix; empty if none writes it.
func otherText(other rules.OtherFix, kind string) string {
	var set []rules.Edit
	var removed []string
	for _, e := range other.Set {
		if e.Value == nil {
			removed = append(removed, e.Path.String())
		} else {
			set = append(set, e)
		}
	}
	which := map[string]string{"safe": "which --fix writes ", "unsafe": "which --fix=unsafe writes "}[kind]
	text := fmt.Sprintf("or class %s, %swith spec.fix.prefer: %s: set %s", other.Class, which, other.Class, words.List(inFlow(set)))
	if len(removed) > 0 {
		text += ", remove " + words.List(removed)
	}
	return text
}

// inFlow returns fields as lines of YAML, one for each field of spec: "install: {remediation:
// {retries: 3}}". Fields with the same value are one line.
func inFlow(set []rules.Edit) []string {
	var doc yaml.Node
	if yaml.Unmarshal([]byte(effective.Written(set)), &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	fields := doc.Content[0]
	if len(fields.Content) == 2 && fields.Content[0].Value == "spec" {
		fields = fields.Content[1]
	}
	var values, keys []string
	for i := 0; i+1 < len(fields.Content); i += 2 {
		fields.Content[i+1].Style = yaml.FlowStyle
		text, _ := yaml.Marshal(fields.Content[i+1]) // of plain values
		value := strings.TrimSpace(string(text))
		if at := slices.Index(values, value); at >= 0 {
			keys[at] += " and " + fields.Content[i].Value
		} else {
			values, keys = append(values, value), append(keys, fields.Content[i].Value)
		}
	}
	for i := range keys {
		keys[i] += ": " + values[i]
	}
	return keys
}
