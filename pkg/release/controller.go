package release

import (
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/semver"
)

// DefaultControllerVersion is the helm-controller that is assumed where
// nothing else says: the one of the newest Flux release whose behaviour this
// project has verified.
const DefaultControllerVersion = "1.6.3"

// Gates are helm-controller's feature gates by name, as in its flag
// --feature-gates; one that is absent has the controller's default.
type Gates map[string]bool

// DefaultToRetryOnFailure tells whether an absent strategy means RetryOnFailure.
func (g Gates) DefaultToRetryOnFailure() bool { return g["DefaultToRetryOnFailure"] }

// UseHelm3Defaults tells whether Helm 3's wait and apply defaults are in force.
func (g Gates) UseHelm3Defaults() bool { return g["UseHelm3Defaults"] }

// CancelHealthCheckOnNewRevision tells whether a new revision aborts the wait
// of the running action.
func (g Gates) CancelHealthCheckOnNewRevision() bool { return g["CancelHealthCheckOnNewRevision"] }

// flip gives the gates with one of them turned.
func (g Gates) flip(name string) Gates {
	out := maps.Clone(g)
	out[name] = !g[name]
	return out
}

// KnownGates are the gates that change the failure semantics, with the
// helm-controller version that first has each.
var KnownGates = map[string]string{
	"AdditiveCELDependencyCheck":     "1.4.0",
	"CancelHealthCheckOnNewRevision": "1.5.0",
	"DefaultToRetryOnFailure":        "1.5.2",
	"DisableChartDigestTracking":     "1.3.0",
	"DisableConfigWatchers":          "1.4.4",
	"UseHelm3Defaults":               "1.5.0",
}

// Controller is the helm-controller that will act on a release.
type Controller struct {
	// Version is a semantic version without "v": 1.6.3. Empty means
	// [DefaultControllerVersion].
	Version string `json:"version"`
	// Gates are its feature gates.
	Gates Gates `json:"gates"`
}

// AtLeast tells whether the controller is at version v (as 1.4.0) or newer.
func (c Controller) AtLeast(v string) bool {
	return semver.Compare("v"+c.version(), "v"+v) >= 0
}

// effective gives the controller with its version filled in and without the
// gates that this version does not have yet.
func (c Controller) effective() Controller {
	out := Controller{Version: c.version(), Gates: Gates{}}
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

// With gives the controller with a version, unless empty, and gates on top.
func (c Controller) With(version string, gates Gates) Controller {
	out := Controller{Version: c.Version, Gates: Gates{}}
	if version != "" {
		out.Version = version
	}
	maps.Copy(out.Gates, c.Gates)
	maps.Copy(out.Gates, gates)
	return out
}
