package controllers

import (
	"fmt"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// fluxReleases are the helm-controllers of the releases of Flux: by minor version, one for
// each patch. Source: github.com/fluxcd/flux2, manifests/bases/helm-controller at each tag.
var fluxReleases = map[string][]string{
	"0.30": {"0.21.0", "0.21.0", "0.21.0"},
	"0.31": {"0.22.0", "0.22.1", "0.22.1", "0.22.1", "0.22.2", "0.22.2"},
	"0.32": {"0.22.2"},
	"0.33": {"0.23.1"},
	"0.34": {"0.24.0"},
	"0.35": {"0.25.0"},
	"0.36": {"0.26.0"},
	"0.37": {"0.27.0"},
	"0.38": {"0.28.0", "0.28.0", "0.28.1", "0.28.1"},
	"0.39": {"0.29.0"},
	"0.40": {"0.30.0", "0.30.0", "0.30.0"},
	"0.41": {"0.31.0", "0.31.1", "0.31.2"},
	"2.0":  {"0.35.0", "0.35.0"},
	"2.1":  {"0.36.0", "0.36.1", "0.36.2"},
	"2.2":  {"0.37.0", "0.37.1", "0.37.2", "0.37.4"},
	"2.3":  {"1.0.1"},
	"2.4":  {"1.1.0"},
	"2.5":  {"1.2.0", "1.2.0"},
	"2.6":  {"1.3.0", "1.3.0", "1.3.0", "1.3.0", "1.3.0"},
	"2.7":  {"1.4.0", "1.4.1", "1.4.2", "1.4.3", "1.4.4", "1.4.5"},
	"2.8":  {"1.5.0", "1.5.1", "1.5.2", "1.5.3", "1.5.3", "1.5.3", "1.5.4", "1.5.4", "1.5.5"},
	"2.9":  {"1.6.1", "1.6.2", "1.6.2", "1.6.3", "1.6.3", "1.6.4"},
	"2.10": {"1.7.0"}, // at least: the API is known, the tags are not
}

// Ranges are read by the library with which Flux reads them. Elsewhere versions are only compared, by
// golang.org/x/mod/semver: it has no ranges, and takes no time when a program starts, where this one takes 0.7 ms.

// HelmController returns the helm-controller of a release of Flux; of a range, that of
// the newest release in it. It returns "" if it is not known, as for a range over several
// minor versions: nobody can tell which one is installed.
func HelmController(version string) string {
	version, _, _ = strings.Cut(version, "@") // the digest of an image or an artifact
	if exact, err := semver.StrictNewVersion(strings.TrimPrefix(version, "v")); err == nil {
		known := fluxReleases[minorOf(exact)]
		if len(known) == 0 {
			return ""
		}
		return known[min(exact.Patch(), uint64(len(known)-1))]
	}
	allowed, err := semver.NewConstraint(version)
	if err != nil {
		return ""
	}
	return newestIn(allowed, onlyMinorIn(allowed))
}

// notOneMinor says why the version is not known of what installs a release or a range of
// releases of Flux.
func notOneMinor(what, version string) string {
	if version == "" {
		return what + " names no version of Flux"
	}
	return fmt.Sprintf("%s installs Flux %s, which does not say which minor version", what, version)
}

func minorOf(v *semver.Version) string { return fmt.Sprintf("%d.%d", v.Major(), v.Minor()) }

// followsReleases reports whether a range of releases takes whatever minor version is the newest, as "2.x" does.
// Where no version is named, that is so too.
func followsReleases(version string) bool {
	if version == "" {
		return true
	}
	allowed, err := semver.NewConstraint(version)
	return err == nil && allowed.Check(semver.New(2, 1000, 0, "", ""))
}

// onlyMinorIn returns the one minor version that a range allows, known or to come; "" if it allows none or several.
// Most ranges are of 2, and the second minor version ends the search.
func onlyMinorIn(allowed *semver.Constraints) (only string) {
	for _, major := range []uint64{2, 0, 1, 3} {
		for minor := range uint64(40) {
			for patch := range uint64(20) {
				if !allowed.Check(semver.New(major, minor, patch, "", "")) {
					continue
				}
				if only != "" {
					return ""
				}
				only = fmt.Sprintf("%d.%d", major, minor)
				break
			}
		}
	}
	return only
}

// newestIn returns the helm-controller of the newest known release of a minor version
// that a range allows, or of the newest one of all.
func newestIn(allowed *semver.Constraints, minor string) string {
	known := fluxReleases[minor]
	for patch := len(known) - 1; patch >= 0; patch-- {
		if v, err := semver.StrictNewVersion(fmt.Sprintf("%s.%d", minor, patch)); err == nil && allowed.Check(v) {
			return known[patch]
		}
	}
	if len(known) == 0 {
		return ""
	}
	return known[len(known)-1]
}

// FluxWith returns the newest known minor version of Flux that has a helm-controller of the same minor version as the
// one given; "" if none is known.
func FluxWith(controller string) (flux string) {
	version, err := semver.NewVersion(controller)
	if err != nil {
		return ""
	}
	for candidate, releases := range fluxReleases {
		if minorOf(semver.MustParse(releases[0])) == minorOf(version) && (flux == "" || semver.MustParse(candidate).GreaterThan(semver.MustParse(flux))) {
			flux = candidate
		}
	}
	return flux
}
