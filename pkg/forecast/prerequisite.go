package forecast

import (
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
)

// prerequisite is what the controller wants before it looks at the release. It is
// named by the reason that Ready has while it is missing; what comes after a colon tells two
// of one reason apart.
type prerequisite string

func (p prerequisite) reason() string {
	reason, _, _ := strings.Cut(string(p), ":")
	return reason
}

const (
	dependencyReady prerequisite = reasonDependencyNotReady
	sourceReady     prerequisite = reasonSourceNotReady
	valuesReadable  prerequisite = reasonValuesError
	chartFetched    prerequisite = "ArtifactFailed"
	artifactFound   prerequisite = chartFetched + ":not found"
	chartUsable     prerequisite = "ChartMutateError"
	clusterReached  prerequisite = "RESTClientError"
	clusterKnown    prerequisite = "ResourceManagerError"
	helmReady       prerequisite = "FactoryError"
	stateReadable   prerequisite = reasonStateError
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
	artifactFound:   "the source has no such artifact",
	chartUsable:     "the chart does not match its source",
	clusterReached:  "the cluster of the release cannot be reached",
	clusterKnown:    "the API of the cluster cannot be read",
	helmReady:       "Helm cannot be set up",
	stateReadable:   "the state of the release cannot be read",
	sourceAllowed:   "the source is in a namespace that the controller must not read",
	expressionValid: "an expression cannot be evaluated",
}

// Unmet reports whether the controller did not get as far as the release when it looked last:
// something else is missing, or is wrong. The message of Ready says what.
func Unmet(live *release.Live) bool {
	c := live.Condition("Ready")
	return c != nil && c.Status == "False" && (missing[prerequisite(c.Reason)] != "" || slices.Contains(erring, c.Reason))
}

// lacking returns what is missing by the message of Ready, empty if nothing is known to be. A
// state that cannot be read for a record of Helm's is no prerequisite: the record is in a status.
func lacking(live *release.Live) prerequisite {
	c := live.Condition("Ready")
	if c == nil || c.Status != "False" {
		return ""
	}
	what := prerequisite(c.Reason)
	switch {
	case what == chartFetched && strings.Contains(c.Message, "Retrying in"):
		return artifactFound
	case what == stateReadable && (c.Message == "" || strings.Contains(c.Message, "for release with status")):
		return ""
	case missing[what] == "":
		return ""
	}
	return what
}

// erring are the reasons of Ready after an error that is not about an action.
var erring = []string{
	reasonValuesError, reasonStateError, "ArtifactFailed", "ChartMutateError", "RESTClientError", "ResourceManagerError", "FactoryError",
	"ConfigFactoryErr", "ReconcileError",
}
