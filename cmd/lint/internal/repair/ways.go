package repair

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// way is one of several ways to repair a finding.
type way struct {
	rules.Fix
	as string // what is said of it, before why the first is not taken
}

// waysTo lists the ways to repair a finding, in the order in which they are tried: to the class
// that is preferred and to the other one. Where there are several versions of helm-controller
// that may read one file, both are tried without what is the default, too: an older one may not have a
// field for it.
func waysTo(t target, mixed bool) []way {
	ways := []way{{Fix: *t.finding.Fix}}
	if other := ways[0].Other; other != nil {
		ways = append(ways, way{rules.Fix{Safe: other.Safe, Set: other.Set}, fmt.Sprintf("as class %s, for with the other one", other.Class)})
	}
	if !mixed {
		return ways
	}
	for _, w := range slices.Clone(ways) {
		if set := withoutDefaults(t, w.Set); !reflect.DeepEqual(set, w.Set) {
			ways = append(ways, way{rules.Fix{Safe: w.Safe, Set: set}, "with defaults left unset, for otherwise"})
		}
	}
	return ways
}

// withoutDefaults returns edits that leave a field unset where the controller takes the same
// value for it then.
func withoutDefaults(t target, set []rules.Edit) []rules.Edit {
	out := slices.Clone(set)
	as := t.of.Edited(set).Settings
	for i, e := range set {
		out[i].Value = nil
		if !reflect.DeepEqual(t.of.Edited(out).Settings, as) {
			out[i] = e
		}
	}
	return slices.DeleteFunc(out, func(e rules.Edit) bool {
		value, _ := t.of.Value(e.Path)
		return e.Value == nil && value == nil
	})
}

// isMixed reports whether releases are those of several versions of helm-controller.
func isMixed(all []judge.Release) bool {
	return slices.ContainsFunc(all, func(r judge.Release) bool { return r.Controller.Version != all[0].Controller.Version })
}
