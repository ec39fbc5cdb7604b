package forecast

import (
	"fmt"
	"slices"
	"strings"
)

// tallied is something that happened a number of times: "failed upgrade".
type tallied struct {
	what  string
	count int
}

func (t tallied) String() string {
	switch {
	case t.count > 1:
		return fmt.Sprintf("%d %ss", t.count, t.what)
	case strings.ContainsRune("aeiou", rune(t.what[0])):
		return "an " + t.what
	}
	return "a " + t.what
}

// tally counts what went wrong and what was done about it, in the order in
// which it happened first.
func tally(steps []Step) []string {
	var all []tallied
	for _, step := range steps {
		what := telling(step)
		if what == "" {
			continue
		}
		i := slices.IndexFunc(all, func(t tallied) bool { return t.what == what })
		if i < 0 {
			i, all = len(all), append(all, tallied{what: what})
		}
		all[i].count++
	}
	if len(all) == 1 && all[0].count == 1 && strings.HasPrefix(all[0].what, "failed ") {
		return []string{"the first " + all[0].what}
	}
	var words []string
	for _, t := range all {
		words = append(words, t.String())
	}
	return words
}

// telling names a step that is worth counting, empty otherwise.
func telling(step Step) string {
	switch {
	case step.Result == Killed:
		return "interrupted " + string(step.Action)
	case step.Result == Fail:
		return "failed " + string(step.Action)
	case step.Action.kind() == remediationKind:
		return string(step.Action)
	}
	return ""
}

// afterAll returns "after 2 failed upgrades and a rollback ", empty if nothing
// went wrong.
func afterAll(steps []Step) string {
	if troubles := tally(steps); len(troubles) > 0 {
		return "after " + enumerate(troubles) + " "
	}
	return ""
}

func enumerate(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}
