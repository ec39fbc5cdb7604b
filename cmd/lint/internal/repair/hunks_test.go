package repair

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
)

// TestHunks makes the edit of each repairable finding in the bad.yaml of every
// rule: the finding is gone, and with the last one the file is good.yaml.
func TestHunks(t *testing.T) {
	engine := newEngine(t)
	repaired := 0
	for _, rule := range engine.Rules() {
		folder := filepath.Join("../../../../policies/rules", rule.Category, rule.ID)
		bad := string(readFile(t, filepath.Join(folder, "bad.yaml")))
		file := filepath.Join(t.TempDir(), "release.yaml")
		writeFile(t, file, []byte(bad))
		found := repairerOfRule(t, engine, folder, file, []string{"unsafe"}, "").state.Releases[0]
		for _, finding := range found.Verdict.Findings {
			if finding.Fix == nil || !finding.Fix.OfRelease() {
				continue
			}
			repaired++
			edited := bad
			for _, h := range hunksOf(nil)(found, finding.Fix) {
				edited = replaced(edited, h)
			}
			writeFile(t, file, []byte(edited))
			now := repairerOfRule(t, engine, folder, file, []string{"unsafe"}, "")
			if good := string(readFile(t, filepath.Join(folder, "good.yaml"))); len(targetsOf(now.state.Releases[0])) == 0 && edited != good {
				t.Errorf("%s: got\n%s\nwant\n%s", rule.ID, edited, good)
			}
			now.made = []made{{change: change{targets: []target{{release: identityOf(found), finding: finding}}}}}
			if err := now.gone(now.state); err != nil {
				t.Errorf("%v in\n%s", err, edited)
			}
			writeFile(t, file, []byte(bad))
		}
	}
	if repaired < 20 {
		t.Errorf("only %d findings have edits", repaired)
	}
}

// replaced makes an edit as a reader of SARIF would.
func replaced(text string, h report.Hunk) string {
	return text[:offset(text, h.Line, h.Column)] + string(h.Text) + text[offset(text, h.ToLine, h.ToColumn):]
}

func offset(text string, line, column int) int {
	at := 0
	for range line - 1 {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	return at + len(string([]rune(text[at:])[:column-1]))
}
