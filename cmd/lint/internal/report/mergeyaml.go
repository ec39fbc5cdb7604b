package report

import (
	"slices"
	"strings"
)

// mergeYAML joins the lines of nested maps: each key stands once, with the first value.
func mergeYAML(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	var keys []string
	head, below := map[string]string{}, map[string][]string{}
	at := indentOf(lines[0])
	for _, line := range lines {
		key, _, _ := strings.Cut(line, ":")
		if indentOf(line) > at {
			key = keys[len(keys)-1]
			below[key] = append(below[key], line)
			continue
		}
		if _, seen := head[key]; !seen {
			head[key] = line
		}
		keys = append(keys, key)
	}
	var out []string
	for i, key := range keys {
		if slices.Index(keys, key) == i {
			out = append(append(out, head[key]), mergeYAML(below[key])...)
		}
	}
	return out
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
