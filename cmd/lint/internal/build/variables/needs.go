package variables

import (
	"maps"
	"slices"
	"strings"
)

// NeedsInText returns the variables in the text of an object that have no default there.
func NeedsInText(text string) ([]string, error) {
	needs, err := new(Variables).missing(text)
	return slices.Sorted(maps.Keys(needs)), err
}

// NeedsInValues returns the same of the values of an object, and reports whether all dollars in it are those of simple
// uses: then they mean the same in its text.
func NeedsInValues(object map[string]any) (needs []string, ok bool) {
	all := map[string]bool{}
	ok = simpleNeeds(object, all)
	return slices.Sorted(maps.Keys(all)), ok
}

func simpleNeeds(value any, needs map[string]bool) bool {
	switch value := value.(type) {
	case map[string]any:
		for key, inner := range value {
			if strings.Contains(key, "$") || !simpleNeeds(inner, needs) {
				return false
			}
		}
	case []any:
		return !slices.ContainsFunc(value, func(inner any) bool { return !simpleNeeds(inner, needs) })
	case string:
		if !strings.Contains(value, "$") {
			return true
		}
		for _, used := range simpleUse().FindAllStringSubmatch(value, -1) {
			if used[2] == "" {
				needs[used[1]] = true
			}
		}
		return !strings.Contains(simpleUse().ReplaceAllLiteralString(value, ""), "$")
	}
	return true
}

// Undefined reports whether a variable is known to have no value.
func (v *Variables) Undefined(name string) bool {
	_, known := v.Values[name]
	_, unknown := v.unknown[name]
	return v.On && !known && !unknown && (v.open == "" || !variableName().MatchString(name))
}
