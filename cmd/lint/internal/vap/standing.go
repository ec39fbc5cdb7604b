package vap

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
)

// A release stands for all with the same kind of install and of upgrade: the forecast of
// each scenario ends alike for them, as long as their other settings are the defaults.
//
// Kinds are numbered: each number of retries of steps, then each setting beside it.

// steps are the least numbers of retries from which scenarios end otherwise.
var steps = []int{-1, 0, 1, 2, 9}

// letters name groups of kinds whose forecasts end equally well.
const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+,-./:;<=>?@[]^_{|}~"

// installs and upgrades are the kinds of each half, without their retries, each with the
// condition on a half h of which it is.
var (
	installs = []kind{
		{"h.strategy == 'RetryOnFailure' && h.retryInterval.matches('[1-9]')", release.Half{Strategy: release.RetryOnFailure, RetryInterval: minutes(5)}},
		{"h.strategy == 'RetryOnFailure'", release.Half{Strategy: release.RetryOnFailure}},
		{"h.remediateLastFailure", release.Half{Strategy: release.RemediateOnFailure, RemediateLastFailure: true}},
		{"true", release.Half{Strategy: release.RemediateOnFailure}},
	}
	upgrades = []kind{
		installs[0], installs[1],
		{"h.remediateLastFailure && h.remediation == 'rollback'", release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Rollback, RemediateLastFailure: true}},
		{"h.remediateLastFailure", release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Uninstall, RemediateLastFailure: true}},
		{"h.remediation == 'rollback'", release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Rollback}},
		{"true", release.Half{Strategy: release.RemediateOnFailure, Remediation: release.Uninstall}},
	}
)

type kind struct {
	when string // of those to which no earlier kind applies
	half release.Half
}

func minutes(n int) release.Duration {
	return release.Duration{Duration: time.Duration(n) * time.Minute}
}

// standings are the variables that say whether an update leaves no scenario worse.
func standings(controller release.Controller) ([]variable, error) {
	rows, better, err := table(controller)
	if err != nil {
		return nil, err
	}
	return []variable{
		{"standings", "variables.settings.map(s, [\n  '" + strings.Join(rows, "',\n  '") + "'][" + number("s.install", installs) + "]\n  .charAt(" + number("s.upgrade", upgrades) + "))"},
		{"noWorse", "!variables.settings.all(s, " + knownBoth + ") || variables.standings.size() == 2 && {\n  " + strings.Join(better, ",\n  ") + "}\n  [variables.standings[1]].contains(variables.standings[0])"},
	}, nil
}

func number(half string, kinds []kind) string {
	var of, step strings.Builder
	for i, k := range kinds[:len(kinds)-1] {
		fmt.Fprintf(&of, "%s ? %d : ", k.when, i*len(steps))
	}
	fmt.Fprintf(&of, "%d", (len(kinds)-1)*len(steps))
	for i, least := range steps[1:] {
		fmt.Fprintf(&step, "h.retries < %d ? %d : ", least, i)
	}
	fmt.Fprintf(&step, "%d", len(steps)-1)
	return fmt.Sprintf("[%s].map(h, (%s) + (%s))[0]", half, of.String(), step.String())
}

// table returns the letter of each kind of upgrade, in a row for each kind of install, and for
// each letter those of which no scenario ends worse.
func table(controller release.Controller) (rows, better []string, err error) {
	var all [][]forecast.Ending
	for _, install := range retried(installs) {
		row := ""
		for _, upgrade := range retried(upgrades) {
			ends := endings(install, upgrade, controller)
			at := slices.IndexFunc(all, func(other []forecast.Ending) bool { return slices.Equal(ends, other) })
			if at < 0 {
				at, all = len(all), append(all, ends)
			}
			if at == len(letters) {
				return nil, nil, fmt.Errorf("the forecasts end in more than %d ways", len(letters))
			}
			row += letters[at : at+1]
		}
		rows = append(rows, row)
	}
	for i, before := range all {
		line := ""
		for j, after := range all {
			if !worse(before, after) {
				line += letters[j : j+1]
			}
		}
		better = append(better, fmt.Sprintf("'%s': '%s'", letters[i:i+1], line))
	}
	return rows, better, nil
}

func retried(kinds []kind) (halves []release.Half) {
	for _, k := range kinds {
		for _, retries := range steps {
			half := k.half
			half.Retries = retries
			halves = append(halves, half)
		}
	}
	return halves
}

// endings returns how each scenario ends in which something fails.
func endings(install, upgrade release.Half, controller release.Controller) (ends []forecast.Ending) {
	install.Remediation = release.Uninstall
	install.Timeout, upgrade.Timeout = minutes(5), minutes(5)
	settings := release.Settings{
		Interval: minutes(10), Timeout: minutes(5), MaxHistory: 5, WaitStrategy: "poller", DriftDetection: "disabled",
		Install: install, Upgrade: upgrade,
		Test: release.TestSettings{Timeout: minutes(5)}, Rollback: release.RollbackSettings{Timeout: minutes(5)},
		Uninstall: release.UninstallSettings{Timeout: minutes(5), DeletionPropagation: "background"},
	}
	for _, scenario := range forecast.Scenarios() {
		if scenario.Failing() {
			ends = append(ends, forecast.EndingOf(settings, controller, scenario))
		}
	}
	return ends
}

func worse(before, after []forecast.Ending) bool {
	for i := range before {
		if after[i].Worse(before[i]) {
			return true
		}
	}
	return false
}
