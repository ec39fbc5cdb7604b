package report

// Remedy is how a finding goes away: what to write, and where.
type Remedy struct {
	// Kind is the kind of --fix that writes it: safe or unsafe; empty if none can, and then
	// Unable says why.
	Kind   string
	Unable string
	// Selected is true if only --fix with the rule in --select writes it.
	Selected bool
	// Above is true if the field is one of the Kustomization that applies the release.
	Above bool
	// Lines are the YAML to write where the field is decided, as part of its object, and
	// Remove the fields to take away.
	Lines  []string
	Remove []string
	// Other says how to choose the other class that would be accepted, and what it writes;
	// empty if there is no choice.
	Other string
	// Cost returns what is to be known of it. That is simulated when it is called, because few of
	// many remedies are shown; nil if the settings are not known.
	Cost func() Cost
	// Central is where one patch does the same for many releases, for a field that is set
	// nowhere; nil if there is no such place.
	Central *Site
}

// Cost is what a remedy brings with it.
type Cost struct {
	// NeedsHuman are the scenarios that need a human after it and do not as it is.
	NeedsHuman []string
	// Stays says what it leaves although it looks idle then, and why; empty if there is nothing.
	Stays string
}

// Site is a place for a patch of many releases.
type Site struct {
	Place
	// Lines are the YAML to write there.
	Lines []string
	// Releases counts those that it sets this for, whatever the rule that reports them.
	Releases int
}
