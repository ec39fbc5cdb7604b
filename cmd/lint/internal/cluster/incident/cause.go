package incident

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
	"github.com/flux-remedy/remedy/pkg/forecast"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Cause is a setting that made a release end as it has.
type Cause struct {
	// Rule is empty where the settings do as they are meant to.
	Rule    string `json:"rule,omitempty"`
	Message string `json:"message"`
	Path    string `json:"path"`
	// File and Line are where it is set; empty without a repository.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`

	// Finding is what the rule reports.
	Finding rules.Finding `json:"-"`
}

// cause returns the finding whose forecast ends as the release has or, without one, the
// setting that decides; nil for what other things decide.
func (s *subject) cause(findings []rules.Finding) *Cause {
	if s.Live.Deleting || !s.stuck() && s.likeliest().Stays.Outcome.End != forecast.Retrying {
		return nil
	}
	var fitting []rules.Finding
	for _, f := range findings {
		if s.ofHalf(f.Path) && s.foretold(f) {
			fitting = append(fitting, f)
		}
	}
	if len(fitting) == 0 {
		return s.decider()
	}
	f := slices.MinFunc(fitting, func(a, b rules.Finding) int { return cmp.Compare(a.Severity.Rank(), b.Severity.Rank()) })
	return &Cause{Rule: f.Rule, Message: f.Message, Path: f.Path.String(), Finding: f}
}

// decider returns the setting that makes Flux give up or go on.
func (s *subject) decider() *Cause {
	name, half := string(s.Live.Status.LastAttemptedReleaseAction), s.Settings.Upgrade
	if name == "install" || s.likeliest().Now == forecast.Nothing { // what is not installed is counted by the install
		name, half = "install", s.Settings.Install
	}
	path, message := release.Path{"spec", name}, ""
	switch {
	case s.reason("Stalled") == "RetriesExceeded" && half.Retries < 0: // of other settings than these
		return nil
	case s.reason("Stalled") == "RetriesExceeded":
		path, message = append(path, "remediation", "retries"), fmt.Sprintf("%d: Flux gives up when they are used", half.Retries)
	case s.reason("Stalled") == "MissingRollbackTarget":
		path, message = release.Path{"spec", "upgrade", "remediation"}, "a failed upgrade is rolled back, and Flux knows no release to roll back to"
	case s.reason("Stalled") == "AccessDenied":
		return s.reference()
	case s.likeliest().Stays.Outcome.Reason != "interval" || half.Strategy != release.RetryOnFailure:
		return nil
	default:
		path, message = append(path, "strategy"), fmt.Sprintf("RetryOnFailure tries again after %s and never gives up", forecast.Readable(half.RetryInterval.Duration))
	}
	return &Cause{Path: path.String(), Message: message, Finding: rules.Finding{Path: path}}
}

// reference returns the field that names the source of the chart.
func (s *subject) reference() *Cause {
	path := release.Path{"spec", "chartRef", "namespace"}
	if object.At(s.Object, "spec", "chartRef") == nil {
		path = release.Path{"spec", "chart", "spec", "sourceRef", "namespace"}
	}
	return &Cause{Path: path.String(), Message: "helm-controller runs with --no-cross-namespace-refs", Finding: rules.Finding{Path: path}}
}

// everyday are the scenarios whose end every release of a class shares: there only an
// error is a cause.
var everyday = []string{"install-fails", "upgrade-fails"}

// foretold reports whether what a finding warns of has come.
func (s *subject) foretold(f rules.Finding) bool {
	scenario, err := forecast.Find(f.Scenario)
	if err != nil || f.Severity != rules.Error && slices.Contains(everyday, f.Scenario) && !s.Settings.Suspend {
		return false
	}
	warned := forecast.Run(*s.Settings, s.Controller, scenario, forecast.Options{}).Outcome
	came := s.likeliest().Stays.Outcome
	return warned.End == came.End && warned.Reason == came.Reason
}

// ofHalf reports whether a setting may have decided: it is none of the half that was
// not attempted last.
func (s status) ofHalf(path release.Path) bool {
	half := string(s.Live.Status.LastAttemptedReleaseAction)
	return len(path) < 2 || path[1] != "install" && path[1] != "upgrade" || path[1] == half
}
