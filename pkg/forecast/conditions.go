package forecast

// The reasons of conditions that the simulation sets.
const (
	reasonProgressing          = "Progressing"
	reasonProgressingWithRetry = "ProgressingWithRetry"
	reasonInstallSucceeded     = "InstallSucceeded"
	reasonInstallFailed        = "InstallFailed"
	reasonUpgradeSucceeded     = "UpgradeSucceeded"
	reasonUpgradeFailed        = "UpgradeFailed"
	reasonRollbackSucceeded    = "RollbackSucceeded"
	reasonRollbackFailed       = "RollbackFailed"
	reasonUninstallSucceeded   = "UninstallSucceeded"
	reasonUninstallFailed      = "UninstallFailed"
	reasonTestSucceeded        = "TestSucceeded"
	reasonTestFailed           = "TestFailed"
	reasonAwaitingTests        = "AwaitingTests"
	reasonPendingRelease       = "PendingRelease"
	reasonStateError           = "StateError"
	reasonRetriesExceeded      = "RetriesExceeded"
	reasonMissingTarget        = "MissingRollbackTarget"
	reasonSuspended            = "Suspended"
	reasonDependencyNotReady   = "DependencyNotReady"
	reasonSourceNotReady       = "SourceNotReady"
	reasonValuesError          = "ValuesError"
	reasonRetryAfterInterval   = "RetryAfterInterval" // 1.4.0 to 1.4.2
	reasonHealthCheckCanceled  = "HealthCheckCanceled"
	reasonLeftBehind           = "LeftBehind" // of an end, not of a condition
)

// conditionType names a condition; the values are in the order in which the
// controller keeps them, which matters to [status.summarize].
type conditionType int

const (
	ready conditionType = iota
	reconciling
	stalled
	released
	remediated
	testSuccess
	conditionTypes
)

// condition is absent when its status is empty.
type condition struct {
	status     conditionStatus
	reason     string
	generation int
}

type conditionStatus string

const (
	isTrue    conditionStatus = "True"
	isFalse   conditionStatus = "False"
	isUnknown conditionStatus = "Unknown"
)

type conditions [conditionTypes]condition

func (o *status) mark(t conditionType, st conditionStatus, reason string) {
	o.conditions[t] = condition{st, reason, o.generation}
}

func (o *status) unmark(t conditionType) { o.conditions[t] = condition{} }

// markReconciling also clears Stalled: the two exclude each other.
func (o *status) markReconciling(reason string) {
	o.unmark(stalled)
	o.mark(reconciling, isTrue, reason)
}

// markStalled also clears Reconciling.
func (o *status) markStalled(reason string) {
	o.unmark(reconciling)
	o.mark(stalled, isTrue, reason)
}

func (o *status) ready() bool { return o.conditions[ready].status == isTrue }

// acceptRemediated marks a release as released that was remediated: the state
// that was restored is the desired one after all.
func (o *status) acceptRemediated() {
	if o.conditions[remediated].status == isTrue {
		o.mark(released, isTrue, reasonUpgradeSucceeded)
		o.unmark(remediated)
	}
}

// summarize makes Ready of one of Remediated, TestSuccess and Released: the
// first of them in that order, unless it is of an older generation than one
// that the controller keeps before it. A remediated release is never ready.
func (o *status) summarize(test, ignoreTests bool) {
	if !test {
		o.unmark(testSuccess)
	}
	sorted := o.byWeight(test && !ignoreTests)
	if len(sorted) == 0 {
		return
	}
	c := o.conditions[sorted[0]]
	if sorted[0] == remediated {
		c.status = isFalse
	}
	if c.status == isTrue {
		o.unmark(stalled)
	}
	o.mark(ready, c.status, c.reason)
}

// weight orders the conditions that make up Ready, the lightest first.
var weight = [conditionTypes]int{remediated: 1, testSuccess: 2, released: 3}

// byWeight sorts as the controller does: by insertion, with a comparison that
// is not transitive once generations differ.
func (o *status) byWeight(withTests bool) []conditionType {
	sorted := make([]conditionType, 0, 3)
	for t := released; t <= testSuccess; t++ {
		if o.conditions[t].status == "" || t == testSuccess && !withTests {
			continue
		}
		sorted = append(sorted, t)
		for i := len(sorted) - 1; i > 0 && o.before(sorted[i], sorted[i-1]); i-- {
			sorted[i], sorted[i-1] = sorted[i-1], sorted[i]
		}
	}
	return sorted
}

func (o *status) before(a, b conditionType) bool {
	return o.conditions[a].generation >= o.conditions[b].generation && weight[a] < weight[b]
}
