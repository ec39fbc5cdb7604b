package vap

import (
	"fmt"
	"io"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Write writes the objects as documents of YAML, which are the same for the same rules
// and configuration.
func (s *Set) Write(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# Written by \"flux-remedy vap\" from its rules and the configuration. Write it anew when either\n"+
		"# changes. Rules that CEL cannot say: %s.\n", orNone(s.Unsaid)); err != nil {
		return err
	}
	for _, o := range s.objects {
		if _, err := io.WriteString(w, "---\n"); err != nil {
			return err
		}
		encoder := yamlv3.NewEncoder(w)
		encoder.SetIndent(2)
		if err := encoder.Encode(o); err != nil {
			return fmt.Errorf("write %s: %w", o.Kind, err)
		}
	}
	return nil
}

func orNone(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}
