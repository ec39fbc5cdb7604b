package repair

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// worse and otherwise compare how a scenario ends for a release before and after.
func worse(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s).Worse(endingOf(was, s))
}

func otherwise(was, is *release.Release, s forecast.Scenario) bool {
	return endingOf(is, s) != endingOf(was, s)
}

// setOtherwise reports whether a release is known to be set otherwise after than before.
func setOtherwise(was, is *release.Release) bool {
	return was.Settings != nil && is.Settings != nil && *was.Settings != *is.Settings
}

// newHuman names the scenarios in which a human is needed for a release after, and not before; none if the settings
// of either are not known.
func newHuman(was, is *release.Release, known forecast.Humans) []string {
	if !setOtherwise(was, is) {
		return nil
	}
	return known.New(*was.Settings, *is.Settings, is.Controller)
}

// idleLooking says of a release that is retried why the retries of its remediation stay: they are
// asked for once its Helm record is gone. It is empty if they have no effect.
func idleLooking(of *effective.Release, known forecast.Humans) string {
	path := release.Path{"spec", "install", "remediation", "retries"}
	if retries, _ := of.Value(path); retries == nil || of.Settings == nil || of.Settings.Install.Strategy != release.RetryOnFailure {
		return ""
	}
	without := of.Edited([]rules.Edit{{Path: path}})
	needs := newHuman(of.Release, without.Release, known)
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
	if !setOtherwise(was, is) {
		return nil
	}
	for _, s := range forecast.Scenarios() {
		if of(was, is, s) {
			out = append(out, s.Name)
		}
	}
	return out
}
