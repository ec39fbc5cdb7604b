package forecast

import (
	"cmp"
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

// tally counts the steps by their names, in the order in which a name comes first.
// A step without one is not counted.
func tally(steps []Step, name func(Step) string) []tallied {
	var all []tallied
	for _, step := range steps {
		what := name(step)
		if what == "" {
			continue
		}
		i := slices.IndexFunc(all, func(t tallied) bool { return t.what == what })
		if i < 0 {
			i, all = len(all), append(all, tallied{what: what})
		}
		all[i].count++
	}
	return all
}

// telling names what went wrong and what was done about it.
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

// naming names every step but an unlock.
func naming(step Step) string {
	if step.Action == Unlock {
		return ""
	}
	return cmp.Or(telling(step), string(step.Action))
}

func enumerate(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}
