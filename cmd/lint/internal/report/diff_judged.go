package report

import "github.com/flux-remedy/remedy/pkg/release"

// Uninstall is the uninstall of a release that a change removes.
type Uninstall struct {
	// Deletes says what it deletes and keeps. Absent if neither the chart nor its name says that.
	Deletes string `json:"deletes,omitempty"`
}

// Judged is a release with what is found in it and what it will do.
type Judged struct {
	Release
	Findings []Finding
	Open     []string // rules that could not be checked
	// Chart and Spec are what the release is made of, to follow it when it is renamed:
	// the name of its chart, and the effective spec.
	Chart string
	Spec  any
	// Settings are nil if they are not all known.
	Settings   *release.Settings
	Controller release.Controller
	Uninstall  *Uninstall // nil unless it is gone since, and Flux uninstalls it
	// Resumed is what becomes of a suspended release when it is resumed; nil of any other.
	Resumed *Judged
}
