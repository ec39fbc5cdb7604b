package effective

import (
	"strings"
	"testing"
	"time"
)

func TestIn(t *testing.T) {
	const waive = "# flux-remedy: waive no-recovery until 2999-01-31: agreed"
	for text, want := range map[string]int{
		"spec: " + waive:                1,
		waive + "\nspec:":               2,
		waive + "\n# more\nspec:":       3,
		waive + "\n\nspec:":             0,
		waive:                           0,
		"# retries: 0 " + waive + "\na": 1, // what is commented out decides nothing, nor does the next line
		"a: 1\r" + waive + "\r\nb: 2":   3,
	} {
		got := commentsIn("a.yaml", []byte(text))
		if len(got) != 1 || got[0].Beside != want || (got[0].Err != nil) != (want == 0) {
			t.Errorf("%q: got %+v, want one beside line %d", text, got[0], want)
		}
	}
	start := time.Now()
	if got := commentsIn("a.yaml", []byte(strings.Repeat(waive+"\n", 300_000)+"spec:")); len(got) != 300_000 || got[0].Beside != 300_001 {
		t.Errorf("%d comments, the first beside line %d", len(got), got[0].Beside)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("many comments took %s", took)
	}
}
