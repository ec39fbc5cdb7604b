package vap

import (
	"fmt"
	"io"
	"strings"
	"time"

	yamlv3 "go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// Write writes two policies for each tier that is enforced, and their bindings, as
// documents of YAML, which are the same for the same rules and configuration. The engine is
// under the configuration; cluster is the name that entries of it match, and may be empty.
// Page returns what to read about a rule.
func Write(w io.Writer, engine *rules.Engine, config *rules.Config, cluster string, now time.Time, page func(rules.Rule) string) error {
	if err := checkGlobs(config); err != nil {
		return err
	}
	s, err := policies(engine, config, cluster, now, page)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "# Written by \"flux-remedy vap\" from its rules and the configuration. Write it anew when either\n"+
		"# changes. Errors that CEL cannot say: %s.\n", orNone(s.unsaid)); err != nil {
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
