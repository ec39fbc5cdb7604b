package main

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"sigs.k8s.io/yaml"
)

// repair returns the edits that fix the denied findings, as YAML and lines "remove
// PATH". It is empty if there are none, or if they need more than half of the message.
func (d *decision) repair() string {
	fields := map[string]any{}
	var removed []string
	for _, finding := range d.denied {
		if finding.Fix == nil {
			continue
		}
		for _, edit := range finding.Fix.Set {
			if edit.Value == nil {
				removed = append(removed, "remove "+edit.Path.String())
			} else {
				put(fields, edit.Path, edit.Value)
			}
		}
	}
	var text []byte
	if len(fields) > 0 {
		text, _ = yaml.Marshal(fields) // values come from JSON, so it cannot fail
	}
	lines := slices.Concat(strings.Split(strings.TrimSpace(string(text)), "\n"), removed)
	fix := strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
	if fix == "" || len(fix) > maxDenial/2 {
		return ""
	}
	return "\nFix:\n" + fix
}

// put writes a value into nested maps. A path through a list is left out: the YAML of
// one item would replace the whole list.
func put(fields map[string]any, path release.Path, value any) {
	for i, step := range path {
		key, ok := step.(string)
		if !ok {
			return
		}
		if i == len(path)-1 {
			fields[key] = value
			return
		}
		inner, ok := fields[key].(map[string]any)
		if !ok {
			inner = map[string]any{}
			fields[key] = inner
		}
		fields = inner
	}
}
