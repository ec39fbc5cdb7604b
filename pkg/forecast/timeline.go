package forecast

import (
	"slices"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Action is something the controller does to a release.
type Action string

// The actions, as helm-controller names them.
const (
	Install   Action = "install"
	Upgrade   Action = "upgrade"
	Rollback  Action = "rollback"
	Uninstall Action = "uninstall"
	Test      Action = "test"
	Unlock    Action = "unlock"
	// Correct puts back what was changed on the cluster by hand.
	Correct Action = "correction"
)

// Result is how an action went.
type Result string

// The results. Killed means that the controller died while the action ran.
const (
	OK     Result = "ok"
	Fail   Result = "fail"
	Killed Result = "killed"
)

// Version names a version of the release by its part in the scenario.
type Version string

// The versions. Old is what ran well before, New is what the scenario is
// about, Fixed is what a human publishes after a failure.
const (
	Old   Version = "old"
	New   Version = "new"
	Fixed Version = "fixed"
	// BadFix is what a human publishes after a failure of New, and fails too.
	BadFix Version = "bad fix"
)

// Timeline is what happens to one release in one scenario.
type Timeline struct {
	Scenario string  `json:"scenario"`
	Steps    []Step  `json:"steps"`
	Outcome  Outcome `json:"outcome"`
	// More is the number of further steps that were simulated and are not in
	// Steps, because [Options.MaxSteps] cut an endless run.
	More int `json:"more,omitempty"`
	// Revive are the ways to revive a release that needs a human, the mildest
	// first; none unless [Options.Revive] asks for them.
	Revive []Way `json:"revive,omitempty"`
}

// Step is one action of the controller.
type Step struct {
	// At is when the action starts, from the start of the scenario.
	At release.Duration `json:"at"`
	// Took is how long it runs.
	Took   release.Duration `json:"took"`
	Action Action           `json:"action"`
	Result Result           `json:"result"`
	// Revision is that of the Helm record that the action writes; zero if it
	// fails before it writes one.
	Revision int     `json:"revision"`
	Version  Version `json:"version"`
	// InstallFailures and UpgradeFailures are the counters after the action.
	InstallFailures int `json:"installFailures"`
	UpgradeFailures int `json:"upgradeFailures"`
	// Note says what the controller decides next, and why.
	Note string `json:"note"`
	// Deletes says what an uninstall deletes and keeps, if the chart is known (see [Timeline.Deleting]).
	Deletes string `json:"deletes,omitempty"`

	// Before is what the cluster runs when the action starts.
	Before Running `json:"-"`

	canceled bool // an event has ended its wait
}

// Notes returns the notes of the steps, with what an uninstall deletes: in full once, unless that
// is what was said already, then in short.
func (t Timeline) Notes(said string) []string {
	var out []string
	for _, s := range t.Steps {
		out = append(out, s.note(said))
		if s.Deletes != "" {
			said = s.Deletes
		}
	}
	return out
}

func (s Step) note(said string) string {
	deletes := s.Deletes
	switch {
	case deletes == "":
		return s.Note
	case deletes == said:
		deletes = "deletes the same"
	}
	if s.Result == Fail {
		deletes += " (as far as it comes)"
	}
	return deletes + "; " + s.Note
}

// Deleting returns the timeline of a release of which this is what an uninstall deletes and keeps.
func (t Timeline) Deleting(what string) Timeline {
	if what == "" {
		return t
	}
	t.Steps = slices.Clone(t.Steps)
	for i, s := range t.Steps {
		if s.Action == Uninstall {
			t.Steps[i].Deletes = what
		}
	}
	return t
}

// End is the kind of end that a run comes to.
type End string

// The ends. A run that is Retrying or in Error goes on for ever.
const (
	// Ready: the controller is content with the release.
	Ready End = "Ready"
	// Stalled: the controller has given up and says so.
	Stalled End = "Stalled"
	// Retrying: the controller tries again without end.
	Retrying End = "Retrying"
	// Error: the controller repeats, without end, what fails before it changes
	// anything.
	Error End = "Error"
	// Waiting: the controller waits for what the release needs: a dependency or
	// its source. It looks again without end.
	Waiting End = "Waiting"
	// Idle: the release is not ready and nothing will be done about it.
	Idle End = "Idle"
	// Deleted: the HelmRelease is gone.
	Deleted End = "Deleted"
)

// Running is what the cluster runs at the end.
type Running string

// What can be running. A version is failed when it did not become healthy.
const (
	Nothing      Running = "nothing"
	OldVersion   Running = "old version"
	FailedOld    Running = "failed old version"
	NewVersion   Running = "new version"
	FailedNew    Running = "failed new version"
	FixedVersion Running = "fixed version"
	FailedFixed  Running = "failed fixed version"
	BadFixRuns   Running = "bad fix"
	FailedBadFix Running = "failed bad fix"
	// A version that somebody has changed on the cluster, which was not put back.
	ChangedOld   Running = "changed old version"
	ChangedNew   Running = "changed new version"
	ChangedFixed Running = "changed fixed version"
)

// Outcome is how a run ends.
type Outcome struct {
	End End `json:"end"`
	// Reason is that of the Ready condition, or of the Stalled condition if
	// Stalled, or "interval" or "backoff" if Retrying: what spaces the
	// attempts. Of a deleted release it is UninstallSucceeded, or LeftBehind if
	// it still runs.
	Reason  string  `json:"reason"`
	Running Running `json:"running"`
	// NeedsHuman tells that the release does not become healthy by itself,
	// not even when the cause of the failure goes away.
	NeedsHuman bool `json:"needsHuman"`
	// DecidedBy is the half of the spec that decided: install or upgrade; empty
	// if neither did.
	DecidedBy Action `json:"decidedBy"`
	// After is when the end is reached, from the start of the scenario. An
	// endless run has no such time and the value is zero.
	After release.Duration `json:"after"`
	// Every is the wait between attempts of an endless run; for a backoff the
	// longest one.
	Every release.Duration `json:"every,omitzero"`
	// Summary is the whole in one sentence.
	Summary string `json:"summary"`
}

// String returns the outcome in one sentence, without a full stop.
func (o Outcome) String() string { return o.Summary }

// Way is something that a human can do about a release that needs one.
type Way struct {
	// Do is a command, in which NAME stands for that of the HelmRelease, or what to
	// publish.
	Do string `json:"do"`
	// Events are the same for [Scenario.Then].
	Events []Event `json:"events"`
	// Then says what follows once the cause of the failure is gone, Otherwise what
	// follows while it is not, if that is something else.
	Then      string `json:"then"`
	Otherwise string `json:"otherwise,omitempty"`
	// Uninstalls reports whether what runs is uninstalled if the cause is not gone.
	Uninstalls bool `json:"uninstalls,omitempty"`
	// Restores reports whether it brings back the version that ran before, and no more: the
	// release does not become Ready by it.
	Restores bool `json:"restores,omitempty"`

	acts bool
}

// Effect says what follows it.
func (w Way) Effect() string {
	if w.Otherwise == "" {
		return w.Then
	}
	return w.Then + "; if it fails again: " + w.Otherwise
}

// Acts reports whether Flux does anything for it.
func (w Way) Acts() bool { return w.acts }

// Event names something that happens from outside. [Scenario.Then] adds events to
// a scenario.
type Event string

// Endless reports whether the run goes on for ever.
func (o Outcome) Endless() bool { return o.End == Retrying || o.End == Error || o.End == Waiting }

// changed reports whether what runs was changed on the cluster.
func (o Outcome) changed() bool {
	return o.Running == ChangedOld || o.Running == ChangedNew || o.Running == ChangedFixed
}

// After returns what follows an action, if the timeline begins with it.
func (l Timeline) After(action Action) Timeline {
	if len(l.Steps) > 0 && l.Steps[0].Action == action {
		l.Steps = l.Steps[1:]
	}
	return l
}
