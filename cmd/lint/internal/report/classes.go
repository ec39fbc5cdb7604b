package report

import (
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules"
)

// classTexts say what the classes mean to who has not read about them.
var classTexts = map[rules.Class]string{
	rules.ClassRetry:     "tried again until it works",
	rules.ClassBounded:   "gives up after its retries",
	rules.ClassViolating: "a failure can leave it stuck",
	rules.ClassUnknown:   "not known from this repository",
}

// legend explains classes in one line, the worst first: "bounded: gives up after its retries".
func legend(shown func(rules.Class) bool) string {
	var parts []string
	for _, class := range []rules.Class{rules.ClassViolating, rules.ClassBounded, rules.ClassRetry, rules.ClassUnknown} {
		if shown(class) {
			parts = append(parts, string(class)+": "+classTexts[class])
		}
	}
	return strings.Join(parts, "; ")
}
