package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// counts are the lines that count: clusters, then all. Where there are no
// releases it is said elsewhere.
func (r Report) counts() []string {
	lines := r.clusters()
	if chosen := r.chosen(); chosen.Narrow() {
		line := "only " + chosen.String()
		if n := r.Summary.Of; n > 0 {
			line += fmt.Sprintf(": %d of %s", len(r.Releases), words.Count(n, "HelmRelease"))
		}
		lines = append(lines, line)
	}
	if len(r.Releases) > 0 {
		lines = append(lines, r.Summary.String())
	}
	return slices.Concat(lines, words.NotEmpty(r.standing(), r.unfollowed()), r.revive())
}

// revive names the command that plans what revives all stuck releases of a cluster, where there are several.
func (r Report) revive() []string {
	var commands []string
	for _, c := range r.Clusters {
		if c.ByPhase[Stuck] > 1 && c.Revive != "" && !r.chosen().Narrow() {
			commands = append(commands, c.Revive)
		}
	}
	if len(commands) == 0 {
		return nil
	}
	return []string{"once the causes are gone, plan the revival of all that is stuck: " + words.First(commands, most, "cluster")}
}

// mostClusters is how many clusters are counted each by itself, whatever is in them.
const mostClusters = 20

// clusters count each of several clusters. Of many it names those that could not be read, then
// those where something needs somebody, and counts the others.
func (r Report) clusters() []string {
	if len(r.Clusters) < 2 {
		return nil
	}
	var silent, unread, lines []string
	well := 0
	for _, c := range r.Clusters {
		switch many := len(r.Clusters) > mostClusters; {
		case many && c.Incomplete && c.Releases == 0:
			silent = append(silent, c.Name)
		case many && c.Incomplete:
			unread = append(unread, c.String())
		case many && c.ByPhase[Stuck]+c.ByPhase[Interrupted] == 0:
			well++
		default:
			lines = append(lines, c.String())
		}
	}
	if len(silent) > 0 {
		unread = append([]string{fmt.Sprintf("%d of %d clusters could not be read: %s", len(silent), len(r.Clusters), strings.Join(silent, ", "))}, unread...)
	}
	if well > 0 {
		lines = append(lines, fmt.Sprintf("in %d of %d clusters nothing is stuck or interrupted", well, len(r.Clusters)))
	}
	return append(unread, lines...)
}

// group are the releases of which one rule reports something.
type group struct {
	Rule     string
	Severity rules.Severity
	N        int
	Releases string // the first of them
}

// byRule groups the findings that nothing waives and that are no infos, the worst first.
func (r Report) byRule() []group {
	type key struct {
		rule     string
		severity rules.Severity
	}
	found := map[key][]string{}
	for _, one := range r.Releases {
		label := one.label()
		for _, f := range one.Findings {
			if k := (key{f.Rule, f.Severity}); f.Waived == nil && f.Severity.AtLeast(rules.Warning) && (len(found[k]) == 0 || found[k][len(found[k])-1] != label) {
				found[k] = append(found[k], label)
			}
		}
	}
	var all []group
	for k, names := range found {
		slices.Sort(names)
		all = append(all, group{k.rule, k.severity, len(names), words.First(names, most, "")})
	}
	slices.SortFunc(all, func(a, b group) int {
		return cmp.Or(cmp.Compare(a.Severity.Rank(), b.Severity.Rank()), cmp.Compare(a.Rule, b.Rule))
	})
	return all
}
