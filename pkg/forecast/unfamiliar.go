package forecast

import (
	"fmt"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/flux-remedy/remedy/pkg/release"
)

// familiar are the reasons of the conditions of a HelmRelease, from helm-controller 1.0 on. A
// condition that another program sets has another type.
var familiar = map[string][]string{
	"Ready": slices.Concat(erring, outcomes, []string{
		reasonProgressing, reasonPendingRelease, reasonDependencyNotReady, reasonSourceNotReady, reasonRetryAfterInterval, reasonHealthCheckCanceled,
		reasonAwaitingTests, string(sourceAllowed), string(expressionValid), reasonSuspended, "ReconciliationSucceeded", "ReconciliationFailed",
	}),
	"Reconciling": {reasonProgressing, reasonProgressingWithRetry},
	"Stalled":     {reasonRetriesExceeded, reasonMissingTarget, string(sourceAllowed), string(expressionValid)},
	"Released":    slices.Concat(outcomes, []string{reasonPendingRelease}),
	"Remediated":  {reasonRollbackSucceeded, reasonRollbackFailed, reasonUninstallSucceeded, reasonUninstallFailed},
	"TestSuccess": {reasonTestSucceeded, reasonTestFailed, reasonAwaitingTests},
	"Drifted":     {"DriftDetected", "NoDriftDetected"},
}

var outcomes = []string{
	reasonInstallSucceeded, reasonInstallFailed, reasonUpgradeSucceeded, reasonUpgradeFailed, reasonRollbackSucceeded, reasonRollbackFailed,
	reasonUninstallSucceeded, reasonUninstallFailed, reasonTestSucceeded, reasonTestFailed,
}

// Unfamiliar returns what a status says that this package does not know, as a newer
// helm-controller may: then the release may go on otherwise than it is forecast.
func Unfamiliar(live *release.Live) []string {
	var all []string
	for _, c := range live.Status.Conditions {
		reasons, known := familiar[c.Type]
		switch {
		case !known:
			all = append(all, "condition "+c.Type)
		case c.Reason != "" && !slices.Contains(reasons, c.Reason):
			all = append(all, Reasoned(&c))
		}
	}
	if last := Action(live.Status.LastAttemptedReleaseAction); last != "" && last != Install && last != Upgrade {
		all = append(all, fmt.Sprintf("action %s", last))
	}
	for _, s := range live.Status.History {
		if !slices.Contains(recordStatuses, recordStatus(s.Status)) {
			all = append(all, fmt.Sprintf("status %q of Helm record %d", s.Status, s.Version))
		}
	}
	return all
}

// Reasoned names the reason of a condition.
func Reasoned(c *metav1.Condition) string {
	return fmt.Sprintf("reason %s of condition %s", c.Reason, c.Type)
}

// recordStatuses are the statuses of a record of Helm.
var recordStatuses = []recordStatus{deployed, failed, superseded, pendingInstall, pendingUpgrade, pendingRollback, uninstalling, uninstalled}
