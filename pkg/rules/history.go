package rules

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"golang.org/x/mod/semver"
)

// History says since when a rule reports what it reports. Versions are those of Flux
// Remedy, as 0.2.0.
type History struct {
	// Since is the version that first has the rule; empty if that does not matter.
	Since string `json:"since"`
	// Tightened are later versions in which it came to report more.
	Tightened []Tightening `json:"tightened"`
}

// Tightening is a version in which a rule came to report more.
type Tightening struct {
	Version string `json:"version"`
	// What is reported since, in a sentence.
	What string `json:"what"`
	// Was is the severity before, in the tiers where it is another one since.
	Was map[release.Tier]Severity `json:"was"`
	// Params are the defaults before, of the parameters that have another one since.
	Params map[string]any `json:"params"`
}

func (r Rule) validateHistory() error {
	if r.Since != "" && !isVersion(r.Since) {
		return r.wrong("custom.since", fmt.Errorf("%q is no version such as 0.2.0", r.Since))
	}
	for i, t := range r.Tightened {
		field := fmt.Sprintf("custom.tightened[%d].", i)
		switch {
		case !isVersion(t.Version):
			return r.wrong(field+"version", fmt.Errorf("%q is no version such as 0.2.0", t.Version))
		case r.Since == "":
			return r.wrong(field+"version", errors.New("say in custom.since which version first has the rule"))
		case !newer(t.Version, r.Since):
			return r.wrong(field+"version", fmt.Errorf("%s is not after custom.since, %s", t.Version, r.Since))
		case t.What == "":
			return r.wrong(field+"what", errors.New("it is required: what is reported since"))
		}
		for tier, severity := range t.Was {
			_, unknownTier := release.ParseTier(string(tier))
			_, unknownSeverity := ParseSeverity(string(severity))
			if err := errors.Join(unknownTier, unknownSeverity); err != nil {
				return r.wrong(field+"was."+string(tier), err)
			}
		}
		for name, before := range t.Params {
			param, known := r.Params[name]
			if !known {
				return r.wrong(field+"params."+name, errors.New("the rule has no such parameter"))
			}
			if _, err := param.value(before); err != nil {
				return r.wrong(field+"params."+name, err)
			}
		}
	}
	return nil
}

// IsTightened reports whether the rule came to report more in a version.
func (r Rule) IsTightened(version string) bool {
	return slices.ContainsFunc(r.Tightened, func(t Tightening) bool { return t.Version == version })
}

// severityAsOf returns the default severity in a tier, as it was in a version.
func (r Rule) severityAsOf(tier release.Tier, version string) Severity {
	severity, oldest := r.Severity[tier], ""
	for _, t := range r.Tightened {
		if was, changed := t.Was[tier]; changed && newer(t.Version, version) && (oldest == "" || newer(oldest, t.Version)) {
			severity, oldest = was, t.Version
		}
	}
	return severity
}

// defaultAsOf returns the default of a parameter, as it was in a version; the one of now if
// that is empty.
func (r Rule) defaultAsOf(name, version string) any {
	value, oldest := r.Params[name].Default, ""
	for _, t := range r.Tightened {
		if was, changed := t.Params[name]; changed && version != "" && newer(t.Version, version) && (oldest == "" || newer(oldest, t.Version)) {
			value, oldest = was, t.Version
		}
	}
	return value
}

func validRulesAsOf(version string) error {
	if version != "" && !isVersion(version) {
		return fmt.Errorf("%q is no version such as v0.2.0", version)
	}
	return nil
}

func isVersion(text string) bool { return semver.IsValid(canonical(text)) }

// newer reports whether a version is after another one; both with or without a v.
func newer(a, b string) bool { return semver.Compare(canonical(a), canonical(b)) > 0 }

func canonical(version string) string { return "v" + strings.TrimPrefix(version, "v") }
