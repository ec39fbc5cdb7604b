package rulepage

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// lawDefault writes the default of a setting of spec.law.
func lawDefault(name string) (string, error) {
	raw, err := json.Marshal(rules.DefaultLaw())
	if err != nil {
		return "", err
	}
	law := map[string]any{}
	err = json.Unmarshal(raw, &law)
	return value(law[name]), err
}

// severity returns the first severity of a rule that is not off.
func severity(rule rules.Rule) rules.Severity {
	for _, tier := range release.Tiers {
		if s := rule.Severity[tier]; s != rules.Off {
			return s
		}
	}
	return rules.Off
}

type namedParam struct {
	Name string
	rules.Param
}

func params(rule rules.Rule) []namedParam {
	var list []namedParam
	for name, param := range rule.Params {
		list = append(list, namedParam{name, param})
	}
	slices.SortFunc(list, func(a, b namedParam) int { return cmp.Compare(a.Name, b.Name) })
	return list
}

// value returns a parameter's value as it is written in the configuration.
func value(v any) string {
	if list, ok := v.([]any); ok {
		words := make([]string, len(list))
		for i, word := range list {
			words[i] = fmt.Sprint(word)
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	return fmt.Sprint(v)
}
