package release

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/semver"
)

// DefaultControllerVersion is the version of helm-controller that is assumed
// when none is known. It belongs to the newest Flux release whose behaviour
// this project has verified.
const DefaultControllerVersion = "1.6.3"

// Gates are helm-controller's feature gates by name, as in its flag
// --feature-gates; one that is absent has the controller's default.
type Gates map[string]bool

// DefaultToRetryOnFailure reports whether an absent strategy means RetryOnFailure.
func (g Gates) DefaultToRetryOnFailure() bool { return g["DefaultToRetryOnFailure"] }

// UseHelm3Defaults reports whether the defaults of Helm 3 for waiting and
// applying are in force.
func (g Gates) UseHelm3Defaults() bool { return g["UseHelm3Defaults"] }

// CancelHealthCheckOnNewRevision reports whether a new revision ends the
// running action's wait for health.
func (g Gates) CancelHealthCheckOnNewRevision() bool { return g["CancelHealthCheckOnNewRevision"] }

// flip returns a copy of the gates with one of them switched.
func (g Gates) flip(name string) Gates {
	out := maps.Clone(g)
	out[name] = !g[name]
	return out
}

// KnownGates are the gates that change what happens on failure, each with the
// first helm-controller version that has it.
var KnownGates = sinceOf(GateAdded)

// Controller describes the helm-controller that acts on a release.
type Controller struct {
	// Version is a semantic version without "v", such as 1.6.3. Empty means
	// [DefaultControllerVersion].
	Version string `json:"version"`
	Gates   Gates  `json:"gates"`
	// Known reports whether anything says which controller acts: its version, or a
	// gate. [Decode] sets it.
	Known bool `json:"-"`
	// Assumed reports of a controller of a [Release] that its version is the default
	// because none is known.
	Assumed bool `json:"assumed,omitempty"`
	// Hidden reports that something is known to install it, and not which version.
	Hidden bool `json:"-"`
	// Schema is what the API server of its cluster accepts; nil if its definition is not
	// known. Then the version says what was defined with it.
	Schema *Schema `json:"-"`
}

// AtLeast reports whether the controller has version v, such as 1.4.0, or a
// newer one.
func (c Controller) AtLeast(v string) bool {
	return semver.Compare("v"+c.version(), "v"+v) >= 0
}

// Modelled reports whether forecasts follow the controller. Before 0.37 another reconciler set
// no condition Stalled, and heeded neither a reset nor a forced upgrade.
func (c Controller) Modelled() bool { return c.AtLeast("0.37.0") }

// effective returns the controller with its default version filled in, and
// without the gates that its version does not have yet.
func (c Controller) effective() Controller {
	out := Controller{
		Version: c.version(), Gates: Gates{},
		Known: c.Version != "" || len(c.Gates) > 0, Assumed: c.Assumed || c.Version == "", Hidden: c.Hidden && c.Version == "", Schema: c.Schema,
	}
	for name, on := range c.Gates {
		if since, known := KnownGates[name]; !known || c.AtLeast(since) {
			out.Gates[name] = on
		}
	}
	return out
}

func (c Controller) version() string {
	if c.Version == "" {
		return DefaultControllerVersion
	}
	return c.Version
}

// Validate returns an error unless the version is a semantic version and all
// gates are [KnownGates].
func (c Controller) Validate() error {
	if !semver.IsValid("v" + c.version()) {
		return fmt.Errorf("version %q is not a semantic version such as %s", c.Version, DefaultControllerVersion)
	}
	for name := range c.Gates {
		if _, known := KnownGates[name]; !known {
			return fmt.Errorf("gates: %q is no feature gate of helm-controller that changes failure semantics; known are %s",
				name, slices.Sorted(maps.Keys(KnownGates)))
		}
	}
	return nil
}

// With returns a copy of the controller with another version, unless that is
// empty, and with gates that override its own.
func (c Controller) With(version string, gates Gates) Controller {
	out := Controller{Version: c.Version, Gates: Gates{}, Assumed: c.Assumed, Hidden: c.Hidden, Schema: c.Schema}
	if version != "" {
		out.Version, out.Assumed = version, false
	}
	maps.Copy(out.Gates, c.Gates)
	maps.Copy(out.Gates, gates)
	return out
}

// Does reports whether the controller has a [NewBehaviour] of the table.
func (c Controller) Does(behaviour string) bool {
	i := slices.IndexFunc(Changes, func(e Change) bool { return e.Kind == NewBehaviour && e.Name == behaviour })
	e := Changes[i]
	return c.AtLeast(e.Since) || e.Lost != "" && !c.AtLeast(e.Lost)
}
