package forecast

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// unrecorded reports whether the last attempt failed before it wrote a record, and
// none is known. Then a record of which the status does not know may be in its way.
func (s *situation) unrecorded() bool {
	return len(s.status.history) == 0 && s.status.conditions[released].status == isFalse && (s.result == inError || s.result == retryAfter)
}

// obstacle is a record that the status does not know of.
type obstacle struct {
	status  recordStatus // empty: there is none
	version Version
	// assumed says so, and message is what Helm says of it.
	assumed, message string
}

var (
	keptRecord = obstacle{uninstalled, New, "Helm has kept the record of an earlier release", "still in use"}
	noRecord   = obstacle{assumed: "Helm has no record of the release"}
	leftRecord = obstacle{uninstalling, New, "an uninstall has not been finished", "has no deployed releases"}
	goodRecord = obstacle{deployed, Old, "Helm has a record of an earlier version", ""}
	badRecord  = obstacle{failed, New, "Helm has a record of a failed release", ""}
	newRecord  = obstacle{deployed, Old, "another HelmRelease has just made the same Helm release", ""}
)

// obstacles returns what may have kept an attempt from writing a record: the message
// of the failure says it if it is Helm's.
func (s *situation) obstacles(live *release.Live) []situation {
	possible := []obstacle{noRecord, keptRecord}
	if s.spec.Uninstall.KeepHistory && !s.spec.Install.Replace {
		slices.Reverse(possible)
	}
	if s.status.last == Upgrade {
		possible = []obstacle{leftRecord, goodRecord, badRecord}
	}
	message := Failure(live)
	if i := slices.IndexFunc(possible, func(o obstacle) bool { return o.message != "" && strings.Contains(message, o.message) }); i >= 0 {
		possible = possible[i : i+1]
		if possible[0] == keptRecord && s.status.failures.all <= 1 {
			possible = []obstacle{keptRecord, newRecord} // it may have been made between a look and the install
		}
	} else if message != "" {
		possible = slices.DeleteFunc(possible, func(o obstacle) bool { return o.message != "" })
	}
	var all []situation
	for _, o := range possible {
		one := *s
		one.assumed, one.state = o.assumed, s.state.clone()
		if o.status != "" {
			one.storage.create(record{revision: 1, status: o.status, version: o.version}, 0)
			if o.status != uninstalled {
				one.workload = workload{version: o.version, healthy: o.status == deployed}
			}
		}
		all = append(all, one)
	}
	return all
}
