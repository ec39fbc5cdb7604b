package release

import "slices"

// Change is something that helm-controller does, serves or knows since a version.
type Change struct {
	Since string // the first version with it, without "v"
	// Lost is the version that lost it before, where an even older one had it.
	Lost string
	Kind ChangeKind
	Name string // of a field below spec, a gate, an API version; else a short name
	// Effect says in one clause what is otherwise, where the name does not.
	Effect string
	// Run reports whether real controllers on both sides of the change were seen to
	// differ in it: make test-flux holds the line to them. Else it was read in
	// helm-controller's source at the tag of that version and the one before.
	Run bool
}

// ChangeKind says what a change is about.
type ChangeKind string

// The kinds of changes.
const (
	FieldAdded   ChangeKind = "field"
	StatusField  ChangeKind = "status"
	GateAdded    ChangeKind = "gate"
	APIServed    ChangeKind = "api"
	APIRemoved   ChangeKind = "api-removed"
	NewDefault   ChangeKind = "default"
	NewBehaviour ChangeKind = "behaviour"
)

// The names of the behaviours that forecasts depend on.
const (
	BeginningKeepsReady      = "beginning-keeps-ready"
	RetryShowsProgress       = "retry-shows-progress"
	RetryLimitsHistory       = "retry-limits-history"
	UninstallIsFollowed      = "uninstall-is-followed"
	InSyncRepairsConditions  = "in-sync-repairs-conditions"
	failedUninstallIsRetried = "failed-uninstall-is-retried"
)

// Changes lists what differs between the versions of helm-controller since 1.0, as far as it
// matters to what happens on failure, the oldest first. A field brings those below it.
var Changes = []Change{
	{Since: "1.0.0", Kind: APIServed, Name: "v2", Effect: "served beside v2beta1 and v2beta2"},
	{Since: "1.1.0", Kind: FieldAdded, Name: "install.disableSchemaValidation"},
	{Since: "1.1.0", Kind: FieldAdded, Name: "upgrade.disableSchemaValidation"},
	{Since: "1.1.0", Kind: NewBehaviour, Name: failedUninstallIsRetried, Effect: "a deleted release whose uninstall fails stays until an uninstall works; before, it could be left on the cluster"},
	{Since: "1.2.0", Kind: FieldAdded, Name: "install.disableTakeOwnership"},
	{Since: "1.2.0", Kind: FieldAdded, Name: "upgrade.disableTakeOwnership"},
	{Since: "1.2.0", Kind: NewBehaviour, Name: "rollback-limits-records", Effect: "a rollback keeps to maxHistory, too"},
	{Since: "1.3.0", Kind: GateAdded, Name: "DisableChartDigestTracking"},
	{Since: "1.4.0", Kind: APIRemoved, Name: "v2beta1", Effect: "no longer served"},
	{Since: "1.4.0", Kind: FieldAdded, Name: "commonMetadata"},
	{Since: "1.4.0", Kind: FieldAdded, Name: "dependsOn.*.readyExpr"},
	{Since: "1.4.0", Kind: FieldAdded, Name: "install.strategy"},
	{Since: "1.4.0", Kind: FieldAdded, Name: "upgrade.strategy"},
	{Since: "1.4.0", Kind: FieldAdded, Name: "kubeConfig.configMapRef"},
	{Since: "1.4.0", Kind: StatusField, Name: "lastAttemptedReleaseActionDuration"},
	{Since: "1.4.0", Kind: StatusField, Name: "observedCommonMetadataDigest"},
	{Since: "1.4.0", Kind: GateAdded, Name: "AdditiveCELDependencyCheck"},
	{Since: "1.4.1", Lost: "1.4.0", Kind: NewBehaviour, Name: BeginningKeepsReady, Effect: "Ready keeps what it says while a reconcile begins; 1.4.0 sets it to Unknown first, and a stalled release that is looked at again stays so", Run: true},
	{Since: "1.4.3", Lost: "1.4.0", Kind: NewBehaviour, Name: RetryShowsProgress, Effect: "a release that RetryOnFailure tries again has Reconciling ProgressingWithRetry; since 1.4.0 it had Ready RetryAfterInterval and no Reconciling", Run: true},
	{Since: "1.4.4", Kind: GateAdded, Name: "DisableConfigWatchers", Run: true},
	{Since: "1.4.5", Lost: "1.4.0", Kind: NewBehaviour, Name: RetryLimitsHistory, Effect: "RetryOnFailure keeps five entries of status.history, failed ones too; since 1.4.0 they grew with each failure, and success left two", Run: true},
	{Since: "1.5.0", Kind: APIRemoved, Name: "v2beta2", Effect: "no longer served", Run: true},
	{Since: "1.5.0", Kind: FieldAdded, Name: "healthCheckExprs", Run: true},
	{Since: "1.5.0", Kind: FieldAdded, Name: "install.serverSideApply", Run: true},
	{Since: "1.5.0", Kind: FieldAdded, Name: "upgrade.serverSideApply", Run: true},
	{Since: "1.5.0", Kind: FieldAdded, Name: "rollback.serverSideApply", Run: true},
	{Since: "1.5.0", Kind: FieldAdded, Name: "waitStrategy", Run: true},
	{Since: "1.5.0", Kind: StatusField, Name: "history.*.action", Run: true},
	{Since: "1.5.0", Kind: StatusField, Name: "inventory", Run: true},
	{Since: "1.5.0", Kind: GateAdded, Name: "CancelHealthCheckOnNewRevision", Run: true},
	{Since: "1.5.0", Kind: GateAdded, Name: "UseHelm3Defaults", Run: true},
	{Since: "1.5.0", Kind: NewDefault, Name: "waits-by-kstatus", Effect: "health is what kstatus says (waitStrategy poller); before, what Helm 3 says of the kinds that it knows"},
	{Since: "1.5.0", Kind: NewDefault, Name: "applies-server-side", Effect: "a new release is applied server-side"},
	{Since: "1.5.0", Kind: NewBehaviour, Name: UninstallIsFollowed, Effect: "an upgrade that is remediated by uninstall is installed again although no retries are left; before, it stalled without a release"},
	{Since: "1.5.0", Kind: NewBehaviour, Name: InSyncRepairsConditions, Effect: "a release whose spec goes back to what runs becomes Ready; before, it kept Ready=False of a failure that wrote no record"},
	{Since: "1.5.0", Kind: NewBehaviour, Name: "recreate-is-dead", Effect: "rollback.recreate does nothing"},
	{Since: "1.5.2", Kind: GateAdded, Name: "DefaultToRetryOnFailure", Run: true},
	{Since: "1.5.4", Kind: NewBehaviour, Name: "force-needs-client-side", Effect: "upgrade.force does nothing where a release is applied server-side"},
	{Since: "1.6.0", Kind: FieldAdded, Name: "postRenderStrategy", Run: true},
	{Since: "1.6.0", Kind: FieldAdded, Name: "upgrade.chartNameChangeStrategy", Run: true},
	{Since: "1.6.0", Kind: FieldAdded, Name: "valuesFrom.*.literal", Run: true},
	{Since: "1.6.0", Kind: StatusField, Name: "conditions: Drifted", Effect: "drift has a condition"},
	{Since: "1.6.0", Kind: NewDefault, Name: "hooks-are-post-rendered", Effect: "post-renderers see hooks, too (postRenderStrategy combined)"},
	{Since: "1.6.3", Kind: NewBehaviour, Name: "tests-that-ran", Effect: "a release whose test hooks never ran no longer counts as tested"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.kind"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.certSecretRef"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.ignore"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.insecure"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.layerSelector"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.provider"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.proxySecretRef"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.ref"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.secretRef"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.serviceAccountName"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.suspend"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.timeout"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.url"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.verify.matchOIDCIdentity"},
	{Since: "1.7.0", Kind: FieldAdded, Name: "chart.spec.verify.trustedRootSecretRef"},
	{Since: "1.7.0", Kind: NewBehaviour, Name: "status-names-the-kind", Effect: "status.helmChart names the kind, too, of an OCIRepository that was made from spec.chart"},
	{Since: "1.7.0", Kind: NewDefault, Name: "chart-is-not-filled-in", Effect: "the API server no longer writes chart.spec.version and chart.spec.reconcileStrategy into a release; what they default to is the same"},
	{Since: "1.7.0", Kind: NewBehaviour, Name: "chart-from-url", Effect: "spec.chart needs chart and sourceRef only for a HelmChart; with the kind OCIRepository it takes a url in their place, and no version, reconcileStrategy or valuesFiles"},
}

// Since returns the version that first has a field, a gate or a behaviour, and that
// from which on an API version is no longer served; "" if the table has no such name.
func Since(kind ChangeKind, name string) string {
	i := slices.IndexFunc(Changes, func(c Change) bool { return c.Kind == kind && c.Name == name })
	if i < 0 {
		return ""
	}
	return Changes[i].Since
}

// String says what the change is.
func (c Change) String() string {
	text := string(c.Kind) + " " + c.Name
	switch c.Kind {
	case FieldAdded:
		return "field spec." + c.Name
	case StatusField:
		text = "field status." + c.Name
	case APIServed, APIRemoved:
		text = "API version " + c.Name
	case NewDefault, NewBehaviour:
		return c.Effect
	}
	if c.Effect != "" {
		text += ": " + c.Effect
	}
	return text
}

// sinceOf returns the versions that first have each name of a kind.
func sinceOf(kind ChangeKind) map[string]string {
	out := map[string]string{}
	for _, c := range Changes {
		if c.Kind == kind {
			out[c.Name] = c.Since
		}
	}
	return out
}
