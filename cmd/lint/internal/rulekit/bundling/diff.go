package bundling

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge"
	"github.com/flux-remedy/remedy/cmd/lint/internal/judge/policy"
	"github.com/flux-remedy/remedy/cmd/lint/internal/load"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// Side is one of the two bundles that are compared.
type Side struct {
	Engine *rules.Engine
	Config judge.Configuration
	FS     fs.FS
	// State is what it says of a repository; empty without one.
	State judge.State
}

// Read reads a repository under policies: its tree, and the configuration that holds there.
type Read func(ctx context.Context, policies load.Policies, engine *rules.Engine) (*effective.Tree, *rules.Config, error)

// Diff compares two bundles that one of the keys has signed, if there are any, and what they
// say of a repository unless read is nil.
func Diff(ctx context.Context, from, to string, keys []string, read Read) (report.Diff, error) {
	before, err := open(ctx, load.Policies{Bundle: from, Keys: keys}, read)
	if err != nil {
		return report.Diff{}, err
	}
	after, err := open(ctx, load.Policies{Bundle: to, Keys: keys}, read)
	if err != nil {
		return report.Diff{}, err
	}
	changed := append([]report.PolicyChange{}, changes(before, after)...)
	return report.ComparePolicies("bundle "+from, before.State.Side(judge.Shown{HoldsUp: true}), after.State.Side(judge.Shown{HoldsUp: true})).With(report.Policy{
		InForce: after.Engine.InForce(), Base: before.Engine.InForce(), Changes: changed, Weakened: []report.Finding{},
	}), nil
}

func open(ctx context.Context, policies load.Policies, read Read) (side Side, err error) {
	if side.Engine, err = policies.Open(ctx); err != nil {
		return side, err
	}
	side.FS, side.Config = policies.Opened().FS(), judge.Configuration{Config: &rules.Config{}}
	if policies.Trusted("") {
		if side.Config, err = policies.Over(load.Snapshot{}).Config("", "."); err != nil {
			return side, err
		}
	}
	if read == nil {
		side.State.Tree = &effective.Tree{}
		return side, nil
	}
	tree, config, err := read(ctx, policies, side.Engine)
	if err != nil {
		return side, fmt.Errorf("judge by bundle %s: %w", policies.Bundle, err)
	}
	side.State, err = judge.Evaluate(ctx, side.Engine, judge.Configuration{Config: config}, tree, time.Now())
	return side, err
}

// changes lists what differs between two bundles: rules that come and go, severities and
// parameters by tier, Rego that says something else, and the rest of the configuration.
func changes(before, after Side) []report.PolicyChange {
	var out []report.PolicyChange
	for _, id := range slices.Compact(slices.Sorted(slices.Values(slices.Concat(before.Engine.IDs(), after.Engine.IDs())))) {
		old, had := before.Engine.Rule(id)
		now, has := after.Engine.Rule(id)
		switch {
		case !has:
			out = append(out, report.PolicyChange{What: "rule " + id, Before: severities(before.Engine, old), After: "removed"})
		case !had:
			out = append(out, report.PolicyChange{What: "rule " + id, Before: "not there", After: severities(after.Engine, now)})
		default:
			out = append(out, ofRule(before.Engine, after.Engine, old, now)...)
		}
	}
	out = append(out, regoChanges(before.FS, after.FS)...)
	return append(out, policy.Settings(before.Config, after.Config, "rules")...)
}

// severities says "error, warning, off" by tier.
func severities(e *rules.Engine, rule rules.Rule) string {
	var out []string
	for _, tier := range release.Tiers {
		out = append(out, e.Severities(rule, tier))
	}
	return strings.Join(out, ", ")
}

// ofRule lists the changes of a rule that is in both.
func ofRule(a, b *rules.Engine, old, now rules.Rule) []report.PolicyChange {
	out := byTier("severity of "+now.ID, func(tier release.Tier) (string, string) {
		return a.Severities(old, tier), b.Severities(now, tier)
	})
	for _, name := range slices.Sorted(maps.Keys(now.Params)) {
		out = append(out, byTier("parameter "+name+" of "+now.ID, func(tier release.Tier) (string, string) {
			if _, had := old.Params[name]; !had {
				return "not there", fmt.Sprint(b.Param(now, name, tier))
			}
			return fmt.Sprint(a.Param(old, name, tier)), fmt.Sprint(b.Param(now, name, tier))
		})...)
	}
	return out
}

// byTier lists what differs in each tier; once if it does so in all alike.
func byTier(what string, in func(release.Tier) (before, after string)) []report.PolicyChange {
	var out []report.PolicyChange
	alike := true
	for _, tier := range release.Tiers {
		before, after := in(tier)
		if before != after {
			out = append(out, report.PolicyChange{What: what + " in " + string(tier), Before: before, After: after})
		}
		alike = alike && len(out) > 0 && out[0].Before == before && out[0].After == after
	}
	if alike && len(out) == len(release.Tiers) {
		return []report.PolicyChange{{What: what, Before: out[0].Before, After: out[0].After}}
	}
	return out
}

// regoChanges lists the Rego files that are in both and differ, and what rules share that
// comes or goes.
func regoChanges(before, after fs.FS) []report.PolicyChange {
	old, now := regoOf(before), regoOf(after)
	var out []report.PolicyChange
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if is, has := now[name]; has && !bytes.Equal(old[name], is) {
			out = append(out, report.PolicyChange{What: "Rego of " + name, Before: "as it was", After: "changed"})
		}
	}
	return out
}

func regoOf(files fs.FS) map[string][]byte {
	out := map[string][]byte{}
	_ = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error { // it is in memory
		if err != nil || entry.IsDir() {
			return err
		}
		out[name], err = fs.ReadFile(files, name)
		return err
	})
	return out
}
