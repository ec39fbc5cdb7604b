package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// What is cut off is never worse than what is shown, wherever it stands.
func TestMarkdownBeginsWithTheWorst(t *testing.T) {
	findings := []Finding{{Rule: "worst", Severity: rules.Error, Position: Position{File: "z.yaml"}}}
	for i := range 1000 {
		findings = append(findings, Finding{Rule: "milder", Severity: rules.Warning, Message: fmt.Sprint("message ", i), Position: Position{File: "a.yaml", Line: i + 1}})
	}
	text := string(render(t, "markdown", New(nil, findings, nil, nil), Options{}))
	worst, milder := strings.Index(text, "worst"), strings.Index(text, "milder")
	if worst < 0 || worst > milder || !strings.Contains(text, "left out, for the limit") {
		t.Errorf("the error is at %d, the first warning at %d of %d bytes", worst, milder, len(text))
	}
}
