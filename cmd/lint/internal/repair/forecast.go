package repair

import (
	"fmt"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// worse and otherwise compare how a scenario ends after and before.
func worse(is, was forecast.Ending) bool { return is.Worse(was) }

func otherwise(is, was forecast.Ending) bool { return is != was }

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

// endings keeps how all scenarios end, each simulated once: many releases are set alike.
type endings map[endingsKey][]forecast.Ending

type endingsKey struct {
	settings   release.Settings
	controller string
}

func (e endings) of(r *release.Release) []forecast.Ending {
	key := endingsKey{*r.Settings, fmt.Sprint(r.Controller)}
	key.settings.Target = release.Target{}
	if e[key] == nil {
		for _, s := range forecast.Scenarios() {
			e[key] = append(e[key], forecast.EndingOf(*r.Settings, r.Controller, s))
		}
	}
	return e[key]
}

// scenarios names the scenarios of which something is true after and before, for a release; none if
// the settings of either are not known.
func (e endings) scenarios(was, is *release.Release, of func(is, was forecast.Ending) bool) []string {
	if !setOtherwise(was, is) {
		return nil
	}
	var out []string
	before, after := e.of(was), e.of(is)
	for i, s := range forecast.Scenarios() {
		if of(after[i], before[i]) {
			out = append(out, s.Name)
		}
	}
	return out
}
