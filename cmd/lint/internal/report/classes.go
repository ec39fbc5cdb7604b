package report

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// classTexts say what the classes mean to who has not read about them.
type classTexts map[rules.Class]string

// textsOf returns the texts of classes beside findings. Where no forecast among these needs a
// human, as with unlimited retries, a violating release is not left stuck by a failure.
func textsOf(findings []Finding) classTexts {
	violating := "a failure can leave it stuck"
	foreseen := kept(findings, func(f Finding) bool { return f.Forecast != nil })
	if len(foreseen) > 0 && !slices.ContainsFunc(foreseen, func(f Finding) bool { return f.Forecast.Outcome.NeedsHuman }) {
		violating = "a failure is met in neither of the accepted ways"
	}
	return classTexts{
		rules.ClassRetry:     "tried again until it works",
		rules.ClassBounded:   "gives up after its retries",
		rules.ClassViolating: violating,
		rules.ClassUnknown:   "not known from this repository",
	}
}

// classTexts returns the texts of classes for the releases of the report.
func (r Report) classTexts() classTexts {
	violating := map[release.Name]bool{}
	for _, of := range r.Releases {
		violating[of.Name] = violating[of.Name] || of.Class == rules.ClassViolating
	}
	return textsOf(kept(r.Findings, func(f Finding) bool { return f.ofOne() && violating[f.Release] }))
}

// legend explains classes in one line, the worst first: "bounded: gives up after its retries".
func (texts classTexts) legend(shown func(rules.Class) bool) string {
	var parts []string
	for _, class := range []rules.Class{rules.ClassViolating, rules.ClassBounded, rules.ClassRetry, rules.ClassUnknown} {
		if shown(class) {
			parts = append(parts, string(class)+": "+texts[class])
		}
	}
	return strings.Join(parts, "; ")
}
