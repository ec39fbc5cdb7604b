package overview

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Readiness says what admission would refuse if errors were denied in every tier. It
// refuses what is created, as on a new cluster or after a restore, and what gets worse; not
// what is there and stays as it is.
type Readiness struct {
	// Tiers are those that have releases, the mildest first: the order of a roll-out.
	Tiers []TierReadiness `json:"tiers"`
	// WebhookOnly are the rules among them that "flux-remedy vap" cannot write: only the webhook
	// refuses by these.
	WebhookOnly []string `json:"webhookOnly,omitempty"`
	// Undetermined counts what could not be judged, in a repository.
	Undetermined int `json:"undetermined,omitempty"`
}

// TierReadiness is what would be refused in a tier.
type TierReadiness struct {
	Tier release.Tier `json:"tier"`
	// Enforcement is what the configuration does about errors there.
	Enforcement rules.Enforcement `json:"enforcement"`
	Releases    int               `json:"releases"`
	// Stops are the appliers that would stop, the one with most to mend first.
	Stops []Stop `json:"stops"`
}

// Stop is something that applies releases, and would stop at the first that is refused: it
// applies nothing else then.
type Stop struct {
	Cluster string `json:"cluster,omitempty"`
	// AppliedBy is as Kustomization flux-system/apps; empty if nothing of Flux is known to
	// apply them.
	AppliedBy string `json:"appliedBy,omitempty"`
	// Releases counts all that it applies in the tier.
	Releases int       `json:"releases"`
	Refused  []Refused `json:"refused"`
}

// Refused is a release that would be refused.
type Refused struct {
	release.Name
	Rules []string `json:"rules"`
	// Repair is what mends it: "safe" or "unsafe" for lint --fix, "hand" for a person.
	Repair string `json:"repair"`
}

// Admission finds what would be refused.
func Admission(all []Release, config *rules.Config, engine *rules.Engine) *Readiness {
	r := &Readiness{Tiers: []TierReadiness{}}
	for _, tier := range slices.Backward(release.Tiers) {
		t := TierReadiness{Tier: tier, Enforcement: config.Enforcement(tier), Stops: []Stop{}}
		var stops []Stop
		for _, one := range all {
			if one.Tier != tier {
				continue
			}
			t.Releases++
			if t.Enforcement != rules.EnforceOff {
				stops = count(stops, one)
			}
		}
		for _, s := range stops {
			if len(s.Refused) > 0 {
				t.Stops = append(t.Stops, s)
			}
		}
		slices.SortStableFunc(t.Stops, func(a, b Stop) int {
			return cmp.Or(cmp.Compare(len(b.Refused), len(a.Refused)), cmp.Compare(a.Cluster, b.Cluster), cmp.Compare(a.AppliedBy, b.AppliedBy))
		})
		if t.Releases > 0 {
			r.Tiers = append(r.Tiers, t)
		}
	}
	r.WebhookOnly = r.without(engine)
	return r
}

// without lists the rules that refuse something and have no expression of CEL.
func (r *Readiness) without(engine *rules.Engine) []string {
	var all []string
	for _, t := range r.Tiers {
		for _, s := range t.Stops {
			for _, refused := range s.Refused {
				all = append(all, refused.Rules...)
			}
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(id string) bool {
		rule, _ := engine.Rule(id)
		return len(rule.CEL) > 0
	})
}

func count(stops []Stop, one Release) []Stop {
	i := slices.IndexFunc(stops, func(s Stop) bool { return s.AppliedBy == one.AppliedBy && s.Cluster == one.Cluster })
	if i < 0 {
		i = len(stops)
		stops = append(stops, Stop{Cluster: one.Cluster, AppliedBy: one.AppliedBy, Refused: []Refused{}})
	}
	stops[i].Releases++
	if refused, ok := refusedOf(one); ok {
		stops[i].Refused = append(stops[i].Refused, refused)
	}
	return stops
}

// repairs are how findings are repaired, the easiest first.
var repairs = []string{"safe", "unsafe", "hand"}

// refusedOf reports whether a release would be refused, and why.
func refusedOf(one Release) (Refused, bool) {
	r := Refused{Name: one.Name, Repair: repairs[0]}
	for _, f := range one.Findings {
		if f.Severity != rules.Error || f.Waived != nil {
			continue
		}
		if !slices.Contains(r.Rules, f.Rule) {
			r.Rules = append(r.Rules, f.Rule)
		}
		if slices.Index(repairs, f.repair()) > slices.Index(repairs, r.Repair) {
			r.Repair = f.repair()
		}
	}
	slices.Sort(r.Rules)
	return r, len(r.Rules) > 0
}

func (f Finding) repair() string { return cmp.Or(f.Repair, "hand") }

// refused counts the releases of a tier that would be refused, by what repairs them.
func (t TierReadiness) refused() (all int, by map[string]int) {
	by = map[string]int{}
	for _, s := range t.Stops {
		all += len(s.Refused)
		for _, r := range s.Refused {
			by[r.Repair]++
		}
	}
	return all, by
}

// Ready reports whether nothing would be refused, and all could be judged.
func (r *Readiness) Ready() bool {
	return r.Undetermined == 0 && !slices.ContainsFunc(r.Tiers, func(t TierReadiness) bool { return len(t.Stops) > 0 })
}

// lines are the text: each tier, and then in which order to begin.
func (r *Readiness) lines() []string {
	var lines, order []string
	if len(r.Tiers) == 0 && r.Undetermined == 0 {
		return nil
	}
	for _, t := range r.Tiers {
		n, by := t.refused()
		if t.Enforcement == rules.EnforceOff {
			lines = append(lines, fmt.Sprintf("%s: %d HelmReleases, which admission does not judge (%s)", t.Tier, t.Releases, t.Enforcement))
			continue
		}
		if n == 0 {
			lines = append(lines, fmt.Sprintf("%s: of %d HelmReleases none would be refused (now: %s)", t.Tier, t.Releases, t.Enforcement))
			order = append(order, fmt.Sprintf("deny in %s: nothing there would be refused", t.Tier))
			continue
		}
		lines = append(lines, fmt.Sprintf("%s: of %d HelmReleases %d would be refused when created (now: %s)", t.Tier, t.Releases, n, t.Enforcement))
		lines = append(lines, t.stops()...)
		order = append(order, fmt.Sprintf("in %s repair or waive %d (%s), then deny", t.Tier, n, repairsOf(by)))
	}
	slices.SortStableFunc(order, func(a, b string) int { // what needs nothing goes first
		return cmp.Compare(strings.Index(b, "deny in"), strings.Index(a, "deny in"))
	})
	if r.Undetermined > 0 {
		lines = append(lines, fmt.Sprintf("undetermined: %d; flux-remedy lint lists them", r.Undetermined))
		order = append([]string{fmt.Sprintf("determine the %d that could not be judged", r.Undetermined)}, order...)
	}
	if len(order) > 0 {
		lines = append(lines, "", "Roll out in this order, after some days of warn:")
	}
	for i, step := range order {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, step))
	}
	if len(r.WebhookOnly) > 0 {
		lines = append(lines, "", "Only the webhook refuses by these, not the policies of \"flux-remedy vap\": "+strings.Join(r.WebhookOnly, ", "))
	}
	return append(lines, "", "An update that makes a release no worse is never refused: what runs goes on.")
}

// mostStops is how many appliers a tier lists.
const mostStops = 20

// stops are the lines on what applies the releases that would be refused.
func (t TierReadiness) stops() []string {
	var lines []string
	for i, s := range t.Stops {
		if i == mostStops {
			return append(lines, fmt.Sprintf("  and %d more; -o json lists all", len(t.Stops)-mostStops))
		}
		lines = append(lines, s.lines()...)
	}
	return lines
}

func (s Stop) lines() []string {
	what := cmp.Or(s.AppliedBy, "what nothing of Flux is known to apply")
	if s.Cluster != "" {
		what = s.Cluster + ": " + what
	}
	verb := "would stop on a new cluster"
	if s.AppliedBy == "" {
		verb = "would be refused"
	}
	if s.Releases == 1 {
		return []string{fmt.Sprintf("  %s %s: %s", what, verb, s.Refused[0].line())}
	}
	lines := []string{fmt.Sprintf("  %s %s: %d of its %d releases", what, verb, len(s.Refused), s.Releases)}
	for i, r := range s.Refused {
		if i == most {
			return append(lines, fmt.Sprintf("    and %d more", len(s.Refused)-most))
		}
		lines = append(lines, "    "+r.line())
	}
	return lines
}

func (r Refused) line() string {
	return fmt.Sprintf("%s: %s (%s)", r.Name, strings.Join(r.Rules, ", "), howRepaired[r.Repair])
}

// howRepaired says what a person does.
var howRepaired = map[string]string{"safe": "lint --fix", "unsafe": "lint --fix=unsafe", "hand": "by hand"}

func repairsOf(by map[string]int) string {
	var all []string
	for _, how := range repairs {
		if by[how] > 0 {
			all = append(all, fmt.Sprintf("%d %s", by[how], howRepaired[how]))
		}
	}
	return strings.Join(all, ", ")
}
