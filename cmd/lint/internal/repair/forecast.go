package repair

import (
	"fmt"
	"reflect"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// worse, otherwise and newHuman compare how a scenario ends for a release before and after.
func worse(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s).Worse(endingOf(was, s))
}

func otherwise(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s) != endingOf(was, s)
}

func newHuman(was, is *release.Release, s forecast.Scenario) bool {
	needs := func(r *release.Release) bool {
		return forecast.Run(*r.Settings, r.Controller, s, forecast.Options{}).Outcome.NeedsHuman
	}
	return needs(is) && !needs(was)
}

// idleLooking says of a release that is retried why the retries of its remediation stay: they are
// asked for once its Helm record is gone. It is empty if they have no effect.
func idleLooking(of *effective.Release) string {
	path := release.Path{"spec", "install", "remediation", "retries"}
	if retries, _ := of.Value(path); retries == nil || of.Settings == nil || of.Settings.Install.Strategy != release.RetryOnFailure {
		return ""
	}
	without := of.Edited([]rules.Edit{{Path: path}})
	needs := scenarios(of.Release, without.Release, newHuman)
	if len(needs) == 0 {
		return ""
	}
	return fmt.Sprintf("%s stays: without it a human is needed in %s", path, words.Scenarios(needs))
}

func endingOf(r *release.Release, s forecast.Scenario) forecast.Ending {
	return forecast.EndingOf(*r.Settings, r.Controller, s)
}

// scenarios names the scenarios of which something is true for a release before and after; none if
// the settings of either are not known.
func scenarios(was, is *release.Release, of func(was, is *release.Release, s forecast.Scenario) bool) []string {
	var out []string
	if was.Settings == nil || is.Settings == nil || reflect.DeepEqual(was.Settings, is.Settings) {
		return nil
	}
	for _, s := range forecast.Scenarios() {
		if of(was, is, s) {
			out = append(out, s.Name)
		}
	}
	return out
}
