package release

// Above is what is known of the Flux Kustomization that applies a release, and of those around it.
type Above struct {
	// Kustomization is its namespace/name.
	Kustomization string `json:"kustomization"`
	// Object is it as Flux applies it; nil if that is not known.
	Object map[string]any `json:"-"`
	// Waits reports whether it waits for the health of the release.
	Waits bool `json:"waits"`
	// Dependents are those that depend on it, by namespace/name.
	Dependents []string `json:"dependents"`
	// Timeout is how long it waits at the most, and TimeoutField the field that says so.
	Timeout      Duration `json:"timeout"`
	TimeoutField string   `json:"timeoutField"`
	// Attempt is the longest that an attempt of a release may take that it applies.
	Attempt Duration `json:"attempt"`
	// Named reports whether it has health checks by name, which count for nothing where it waits for all.
	Named bool `json:"named"`
	// Retry is after how long it is tried again, and RetryField the field that says so.
	Retry      Duration `json:"retry"`
	RetryField string   `json:"retryField"`
	// Late is how long it is not ready after a release that fails once has recovered.
	Late Duration `json:"late"`
	// Suspended is the way from it to a Kustomization that is suspended, and for which it waits from the next commit on;
	// empty if there is none.
	Suspended []string `json:"suspended"`
	// Circle is the way from it back to itself: each waits for the next one; empty if there is none.
	Circle []string `json:"circle"`
	// Deadlock is the way from it back to itself if it waited for all that it applies: it would never be ready; empty if it
	// waits, nothing depends on it, or there is none. Endless: it would not be if it waited for the release alone either.
	Deadlock []string `json:"deadlock"`
	Endless  bool     `json:"endless"`
	// Missing are what it checks the health of although nothing applies it, by Kind/namespace/name: it is never ready.
	Missing []string `json:"missing"`
	// Workers is what the health checks of releases in retry do to the others of the cluster; absent but for the
	// Kustomization that holds a worker longest, and if there are enough workers.
	Workers *Workers `json:"workers,omitempty"`
}

// Matters reports whether anything of it may be wrong for a release of these settings; nothing of nil is.
func (a *Above) Matters(s *Settings) bool {
	return a != nil && (len(a.Dependents)+len(a.Suspended)+len(a.Circle)+len(a.Missing) > 0 || a.Workers != nil ||
		a.Waits && a.Timeout.Duration < max(s.Install.Timeout.Duration, s.Upgrade.Timeout.Duration))
}

// DefaultWorkers is the default of the flag --concurrent of kustomize-controller. Source: main.go there.
const DefaultWorkers = 4

// Workers are those of a kustomize-controller, and what holds them.
type Workers struct {
	// Of is how many there are, Known is false if that is the default because the tree does not say it.
	Of    int  `json:"of"`
	Known bool `json:"known"`
	// Holding is how many Kustomizations wait for a release that is tried again without end.
	Holding int `json:"holding"`
}
