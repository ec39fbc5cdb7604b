package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// WriteVersions writes what is known of the versions of helm-controller, the newest minor version first.
func WriteVersions(w io.Writer) error {
	out := bufio.NewWriter(w)
	fmt.Fprint(out, "What each version of helm-controller brought, as far as it matters when a release fails.\n"+
		"seen: controllers before and after it were run, and differ. read: in the source of both.\n")
	for _, minor := range slices.Backward(release.Minors) {
		fmt.Fprintf(out, "\nhelm-controller %s (Flux %s): %s\n", minor.Version, minor.Flux, held(minor))
		for _, change := range release.Changes {
			if minor.Has(change.Since) {
				fmt.Fprintf(out, "  %-6s  %-4s  %s\n", change.Since, how(change), change)
			}
		}
	}
	return out.Flush()
}

func how(change release.Change) string {
	if change.Run {
		return "seen"
	}
	return "read"
}

// held says to which runs the forecasts for a minor version are held.
func held(minor release.Minor) string {
	var all []string
	for _, h := range release.HeldVersions {
		if minor.Has(h.Version) {
			all = append(all, fmt.Sprintf("%d runs of %s on %s (%s)", h.Runs, h.Version, h.Date, h.How))
		}
	}
	if all == nil {
		return "forecasts were never compared with a run"
	}
	return "forecasts agree with " + strings.Join(all, " and ")
}
