package forecast

import "time"

// prerequisite is what the controller wants before it looks at the release. It is
// named by the reason that Ready has while it is missing.
type prerequisite string

const (
	dependencyReady prerequisite = reasonDependencyNotReady
	sourceReady     prerequisite = reasonSourceNotReady
	valuesReadable  prerequisite = reasonValuesError
)

// requeueDependency is the controller's flag --requeue-dependency.
const requeueDependency = 30 * time.Second

// missing says in a sentence what is missing.
var missing = map[prerequisite]string{
	dependencyReady: "a dependency is not ready",
	sourceReady:     "the source is not ready",
	valuesReadable:  "the values cannot be read",
}

// unmet ends a reconcile that lacks a prerequisite. Only the values, which are an
// error to the controller, are looked for with a backoff.
func (r *reconciler) unmet(what prerequisite) reconcileResult {
	r.status.mark(ready, isFalse, string(what))
	if what == valuesReadable {
		return inError
	}
	return waiting
}
