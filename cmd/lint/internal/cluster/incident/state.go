package incident

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/pkg/forecast"
)

func (s *subject) condition() string {
	reason := s.reason("Ready")
	switch {
	case s.Live.Deleting:
		return "being deleted"
	case s.Settings.Suspend:
		return "suspended: Flux does nothing with it"
	case s.isNew():
		return "new: Flux has done nothing yet"
	case s.is("Stalled", "True") && s.likeliest().Next.Again:
		return "not ready: Flux had given up" + s.gaveUp() + ", and looks again" + s.whyAgain()
	case s.is("Stalled", "True"):
		return "stuck: Flux has given up" + s.gaveUp()
	case s.likeliest().Next.Running != "" && s.overdue(s.likeliest().Next.Running):
		return fmt.Sprintf("interrupted: the %s was announced, and has not ended in its time", s.likeliest().Next.Running)
	case s.likeliest().Next.Running != "":
		return fmt.Sprintf("busy: the %s runs, unless the controller ended during it", s.likeliest().Next.Running)
	case s.healthy():
		return "Ready"
	case s.looks() && s.overdue(""):
		return "interrupted: Flux began to reconcile it, and has not ended"
	case s.looks():
		return "busy: Flux is reconciling it"
	case waits[reason] != "" && !s.stuck():
		return waits[reason]
	case s.is("Ready", "True") && s.Live.Behind():
		return "Ready, but not yet with the latest change or request"
	case s.is("Ready", "True"):
		return "Ready, but it is upgraded again and again"
	case s.strange():
		return fmt.Sprintf("not ready (%s): what Flux does about that is not known", reason)
	case s.stuck():
		return fmt.Sprintf("stuck: not ready (%s), and stays so until someone acts", reason)
	case s.likeliest().Gone.Outcome.NeedsHuman:
		return fmt.Sprintf("not ready (%s), and may stay so until someone acts", reason)
	case s.likeliest().Stays.Outcome.Endless():
		return fmt.Sprintf("failing (%s): Flux tries again forever", reason)
	case s.likeliest().Next.Again && reason != "":
		return fmt.Sprintf("failing (%s): Flux tries again%s", reason, s.retriesLeft())
	}
	return fmt.Sprintf("not ready (%s)", reason)
}

// isNew reports whether the controller has not said anything of the release yet.
func (s status) isNew() bool {
	return s.Live.Condition("Ready") == nil && s.Live.Condition("Reconciling") == nil && len(s.Live.Status.History) == 0
}

// looks reports whether the controller has begun to reconcile the release, and has not announced an action: what
// condition Ready says is from before.
func (s *subject) looks() bool {
	return s.is("Reconciling", "True") && s.reason("Reconciling") == "Progressing" && !s.is("Ready", "False") && s.likeliest().Next.Running == ""
}

// waits are the states in which something else is missing, by the reason of Ready.
var waits = map[string]string{
	"DependencyNotReady": "waiting: a release that it depends on is not ready",
	"SourceNotReady":     "waiting: its chart is not ready",
	"ArtifactFailed":     "failing: its chart cannot be fetched",
	"ValuesError":        "failing: its values cannot be read",
	"ChartMutateError":   "failing: its chart does not match its source",
	"RESTClientError":    "failing: the cluster that it is for cannot be reached",
	"StateError":         "failing: the state of its Helm release cannot be read",
}

// gaveUp says why Flux has given up.
func (s status) gaveUp() string {
	switch s.reason("Stalled") {
	case "RetriesExceeded":
		n, what := s.Live.Status.UpgradeFailures, "upgrade"
		if string(s.Live.Status.LastAttemptedReleaseAction) == "install" {
			n, what = s.Live.Status.InstallFailures, "install"
		}
		if s.reason("TestSuccess") == "TestFailed" {
			what += " test"
		}
		if n > 1 {
			what += "s"
		}
		return fmt.Sprintf(" after %d failed %s (RetriesExceeded)", n, what)
	case "MissingRollbackTarget":
		return ": an upgrade failed, and its status knows no earlier release to roll back to (MissingRollbackTarget)"
	case "AccessDenied":
		return ": the source of its chart is in a namespace that helm-controller must not read (AccessDenied)"
	case "InvalidCELExpression":
		return ": an expression cannot be evaluated (InvalidCELExpression)"
	}
	return " (" + s.reason("Stalled") + ")"
}

// whyAgain says why Flux looks again at a release that it had given up.
func (s status) whyAgain() string {
	switch {
	case s.Live.Status.LastAttemptedGeneration != s.Live.Generation:
		return ", since the spec has changed"
	case s.Live.Requested:
		return ", as requested"
	}
	return ""
}

// retriesLeft says how many attempts follow at most.
func (s *subject) retriesLeft() string {
	n := 0
	for _, step := range s.likeliest().Stays.Steps {
		if step.Action == forecast.Install || step.Action == forecast.Upgrade {
			n++
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return " once more"
	}
	return fmt.Sprintf(", %d times at most", n)
}

// runs says what the cluster runs, by chart versions.
func (s *subject) runs() string {
	now := string(s.likeliest().Now)
	attempted, before := s.Live.Status.LastAttemptedRevision, s.before()
	switch {
	case now == string(forecast.Nothing) && forecast.Unmet(s.Live) && s.Live.Status.LastAttemptedReleaseAction == "":
		return "nothing is known to be installed"
	case now == string(forecast.Nothing):
		return "nothing is installed"
	case strings.HasPrefix(now, "failed") && s.likeliest().Partly:
		return "a part of the failed " + versionOf(now, attempted, before) + " may be on the cluster"
	case strings.HasPrefix(now, "failed"):
		return "the failed " + versionOf(now, attempted, before) + " is on the cluster"
	case versionOf(now, attempted, before) == earlier:
		return "an " + earlier + " runs"
	case now == string(forecast.OldVersion) && attempted != "":
		return "the earlier " + versionOf(now, attempted, before) + " runs"
	}
	return versionOf(now, attempted, before) + " runs"
}

// earlier is a version that the status does not name.
const earlier = "earlier version"

// longestVersion is how much of a version is shown: any length can be in a status.
const longestVersion = 64

func versionOf(running, attempted, before string) string {
	version := attempted
	if strings.HasSuffix(running, "old version") {
		version = before
	}
	if version == "" {
		return earlier
	}
	return "chart version " + version[:min(len(version), longestVersion)]
}

// before returns the chart version that ran before the one that was attempted last;
// empty if the status does not know one.
func (s status) before() string {
	st := &s.Live.Status
	for _, one := range st.History {
		if one.ChartVersion != st.LastAttemptedRevision || one.ConfigDigest != st.LastAttemptedConfigDigest {
			if one.ChartVersion == st.LastAttemptedRevision {
				return one.ChartVersion + " with other values"
			}
			return one.ChartVersion
		}
	}
	return ""
}
