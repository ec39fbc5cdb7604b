package forecast

import (
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// prerequisite is what the controller wants before it looks at the release. It is
// named by the reason that Ready has while it is missing.
type prerequisite string

const (
	dependencyReady prerequisite = reasonDependencyNotReady
	sourceReady     prerequisite = reasonSourceNotReady
	valuesReadable  prerequisite = reasonValuesError
	chartFetched    prerequisite = "ArtifactFailed"
	sourceAllowed   prerequisite = "AccessDenied"
	expressionValid prerequisite = "InvalidCELExpression"
)

// final are the prerequisites without which the controller gives up until somebody makes it
// look again.
var final = []prerequisite{sourceAllowed, expressionValid}

// requeueDependency is the controller's flag --requeue-dependency.
const requeueDependency = 30 * time.Second

// missing says in a sentence what is missing.
var missing = map[prerequisite]string{
	dependencyReady: "a dependency is not ready",
	sourceReady:     "the source is not ready",
	valuesReadable:  "the values cannot be read",
	chartFetched:    "the chart cannot be fetched",
	sourceAllowed:   "the source is in a namespace that the controller must not read",
	expressionValid: "an expression cannot be evaluated",
}

// unmet ends a reconcile that lacks a prerequisite. The values and the chart, which are an
// error to the controller, are looked for with a backoff. Requests are lost: that the
// annotation was seen is noted, and that it asks for a reset or by force is not
// looked at.
func (r *reconciler) unmet(what prerequisite) reconcileResult {
	o := &r.status
	o.mark(ready, isFalse, string(what))
	o.requests = requests{}
	switch {
	case what == valuesReadable, what == chartFetched:
		return inError
	case slices.Contains(final, what):
		o.markStalled(string(what))
		o.observedGeneration = o.generation
		return exceeded
	}
	return waiting
}

// Unmet reports whether the controller did not get as far as the release when it looked last:
// something else is missing, or is wrong. The message of Ready says what.
func Unmet(live *release.Live) bool {
	c := live.Condition("Ready")
	return c != nil && c.Status == "False" && (missing[prerequisite(c.Reason)] != "" || slices.Contains(erring, c.Reason))
}
