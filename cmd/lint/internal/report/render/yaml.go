package render

import (
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
	"github.com/flux-remedy/remedy/pkg/release"
)

func writeYAML(w io.Writer, all []Release) error {
	for _, r := range all {
		node := &yaml.Node{}
		if err := node.Encode(r.Object); err != nil {
			return err
		}
		for _, d := range r.DecidedBy {
			if key, value := find(node, d.Path); value != nil {
				comment(key, value, plain.Line(d.String()))
			}
		}
		if _, err := fmt.Fprint(w, "---\n"+r.header()); err != nil {
			return err
		}
		if err := plain.WriteYAML(w, node); err != nil {
			return err
		}
	}
	return nil
}

// header is the comment above a release.
func (r Release) header() string {
	var b strings.Builder
	line := func(format string, args ...any) { b.WriteString(plain.Line(fmt.Sprintf("# "+format, args...)) + "\n") }
	if r.Cluster != "" {
		line("cluster %s", r.Cluster)
	}
	line("%s, by %s", r.Tier, r.TierFrom)
	line("%s:%d", r.File, r.Line)
	for _, w := range r.AppliedBy {
		line("applied by %s, %s:%d", w.What, w.File, w.Line)
	}
	return b.String()
}

// String says where a setting was set: by the release itself, or by what else.
func (d decision) String() string {
	out := fmt.Sprintf("%s:%d", d.File, d.Line)
	if len(d.Provenance) > 0 {
		out += ", " + d.Provenance[0].What
	}
	return out
}

// find returns the nodes of key and value at a path; nil if it is not there.
func find(node *yaml.Node, at release.Path) (key, value *yaml.Node) {
	value = node
	for _, step := range at {
		switch step := step.(type) {
		case int:
			if step >= len(value.Content) {
				return nil, nil
			}
			key, value = nil, value.Content[step]
		case string:
			i := 0
			for i+1 < len(value.Content) && value.Content[i].Value != step {
				i += 2
			}
			if i+1 >= len(value.Content) {
				return nil, nil
			}
			key, value = value.Content[i], value.Content[i+1]
		}
	}
	return key, value
}

// comment puts a comment behind a value or, where it has several lines, above
// its key.
func comment(key, value *yaml.Node, text string) {
	if key != nil && strings.Contains(value.Value, "\n") {
		key.HeadComment = text
		return
	}
	value.LineComment = text
}
