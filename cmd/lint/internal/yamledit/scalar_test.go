package yamledit

import (
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/flux-remedy/remedy/cmd/lint/internal/yamledit/internal/quick"
)

// FuzzPlainValue holds what is read without a parser to what the parser reads.
func FuzzPlainValue(f *testing.F) {
	for _, text := range []string{"", "~", "null", "true", "false", "0", "12", "-1", "010", "1_000", "5m", "1h30m", "1.2.3", "1.5", "0x1", "1e3", "2001-01-01", "190:20:30", "1m.", "2.x", "10Gi", "1.0", "0.5", "2.5", "1e", "1E5x", "1n", "1.inf", "12345678901234.5", "9223372036854775808"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, certain := quick.PlainValue(text)
		if !certain {
			return
		}
		want, err := readScalar(&yaml.Node{Kind: yaml.ScalarNode, Value: text})
		if err != nil || got != want {
			t.Errorf("%q is %T %v, want %T %v, error %v", text, got, got, want, want, err)
		}
	})
}
