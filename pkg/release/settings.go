package release

import (
	"strconv"
	"time"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
)

// Strategy is what follows a failed install or upgrade, as in
// spec.install.strategy.name and spec.upgrade.strategy.name.
type Strategy string

const (
	// RetryOnFailure tries again after the retry interval. It never remediates.
	RetryOnFailure Strategy = Strategy(helmv2.ActionStrategyRetryOnFailure)
	// RemediateOnFailure remediates and tries again, while retries remain.
	RemediateOnFailure Strategy = Strategy(helmv2.ActionStrategyRemediateOnFailure)
)

// Remediation is what RemediateOnFailure does after a failed install or upgrade.
type Remediation string

const (
	// Rollback returns to the last release that is known to be good.
	Rollback Remediation = Remediation(helmv2.RollbackRemediationStrategy)
	// Uninstall removes the release. It is the only remediation of an install.
	Uninstall Remediation = Remediation(helmv2.UninstallRemediationStrategy)
)

// Duration is a duration that is a number of seconds in JSON, and so in Rego.
type Duration struct{ time.Duration }

// MarshalJSON returns the seconds as a number, 0.5 for 500ms.
func (d Duration) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, d.Seconds(), 'f', -1, 64), nil
}

// UnmarshalJSON reads a number of seconds.
func (d *Duration) UnmarshalJSON(b []byte) error {
	s, err := strconv.ParseFloat(string(b), 64)
	if err != nil {
		return err
	}
	d.Duration = time.Duration(s * float64(time.Second))
	return nil
}

// Settings are the failure settings of a release as helm-controller resolves
// them, with all defaults and feature gates applied. The JSON names are those of
// the HelmRelease fields, with strategy and remediation flattened into install
// and upgrade.
type Settings struct {
	Suspend      bool     `json:"suspend"`
	Interval     Duration `json:"interval"`
	Timeout      Duration `json:"timeout"`
	MaxHistory   int      `json:"maxHistory"`
	WaitStrategy string   `json:"waitStrategy"` // poller or legacy
	// DriftDetection is the mode: enabled, warn or disabled.
	DriftDetection string `json:"driftDetection"`

	// Target is the Helm release that the controller manages.
	Target Target `json:"target"`
	// ChartNameChangeStrategy is Reinstall or InPlaceUpdate.
	ChartNameChangeStrategy string `json:"chartNameChangeStrategy"`

	Install   Half              `json:"install"`
	Upgrade   Half              `json:"upgrade"`
	Test      TestSettings      `json:"test"`
	Rollback  RollbackSettings  `json:"rollback"`
	Uninstall UninstallSettings `json:"uninstall"`
}

// Target identifies a Helm release. If it changes, the controller uninstalls the
// old release and installs another.
type Target struct {
	Name             string `json:"name"`
	Namespace        string `json:"namespace"`
	StorageNamespace string `json:"storageNamespace"`
}

// Half is one half of the failure settings: spec.install or spec.upgrade.
type Half struct {
	// Strategy is one that is written and not known here as it is written.
	Strategy Strategy `json:"strategy"`
	// RetryInterval is the wait between attempts under RetryOnFailure, where
	// zero means that there is no further attempt. It is zero under
	// RemediateOnFailure.
	RetryInterval Duration `json:"retryInterval"`
	Timeout       Duration `json:"timeout"`

	// Remediation and the next three fields are spec.*.remediation. They are
	// set under RetryOnFailure too, where the controller reads only
	// IgnoreTestFailures and, while there is no release record, Retries.
	Remediation          Remediation `json:"remediation"`
	Retries              int         `json:"retries"` // negative: unlimited
	RemediateLastFailure bool        `json:"remediateLastFailure"`
	IgnoreTestFailures   bool        `json:"ignoreTestFailures"`

	DisableWait        bool `json:"disableWait"`
	DisableWaitForJobs bool `json:"disableWaitForJobs"`
	DisableHooks       bool `json:"disableHooks"`
	// Replace is spec.install.replace. It is false for an upgrade.
	Replace bool `json:"replace"`
	// PreserveValues and CleanupOnFail are fields of spec.upgrade. They are
	// false for an install.
	PreserveValues bool `json:"preserveValues"`
	CleanupOnFail  bool `json:"cleanupOnFail"`
}

// TestSettings is spec.test.
type TestSettings struct {
	Enable         bool     `json:"enable"`
	IgnoreFailures bool     `json:"ignoreFailures"`
	Timeout        Duration `json:"timeout"`
}

// RollbackSettings is spec.rollback.
type RollbackSettings struct {
	Timeout            Duration `json:"timeout"`
	DisableWait        bool     `json:"disableWait"`
	DisableWaitForJobs bool     `json:"disableWaitForJobs"`
	DisableHooks       bool     `json:"disableHooks"`
	CleanupOnFail      bool     `json:"cleanupOnFail"`
}

// UninstallSettings is spec.uninstall.
type UninstallSettings struct {
	Timeout             Duration `json:"timeout"`
	DisableWait         bool     `json:"disableWait"`
	DisableHooks        bool     `json:"disableHooks"`
	KeepHistory         bool     `json:"keepHistory"`
	DeletionPropagation string   `json:"deletionPropagation"` // background, foreground or orphan
}

// settingsOf returns the effective settings of hr. It resolves them with the
// getters that helm-controller itself uses. gates are the controller's.
func settingsOf(hr *helmv2.HelmRelease, gates Gates) Settings {
	timeout := hr.GetTimeout()
	test, rollback, uninstall := hr.GetTest(), hr.GetRollback(), hr.GetUninstall()
	return Settings{
		Suspend:        hr.Spec.Suspend,
		Interval:       Duration{hr.Spec.Interval.Duration},
		Timeout:        Duration{timeout.Duration},
		MaxHistory:     hr.GetMaxHistory(),
		WaitStrategy:   waitStrategy(hr, gates),
		DriftDetection: driftMode(hr),
		Target: Target{
			Name: hr.GetReleaseName(), Namespace: hr.GetReleaseNamespace(), StorageNamespace: hr.GetStorageNamespace(),
		},
		ChartNameChangeStrategy: string(hr.GetUpgrade().GetChartNameChangeStrategy()),

		Install: installHalf(hr, gates),
		Upgrade: upgradeHalf(hr, gates),
		Test: TestSettings{
			Enable:         test.Enable,
			IgnoreFailures: test.IgnoreFailures,
			Timeout:        Duration{test.GetTimeout(timeout).Duration},
		},
		Rollback: RollbackSettings{
			Timeout:            Duration{rollback.GetTimeout(timeout).Duration},
			DisableWait:        rollback.DisableWait,
			DisableWaitForJobs: rollback.DisableWaitForJobs,
			DisableHooks:       rollback.DisableHooks,
			CleanupOnFail:      rollback.CleanupOnFail,
		},
		Uninstall: UninstallSettings{
			Timeout:             Duration{uninstall.GetTimeout(timeout).Duration},
			DisableWait:         uninstall.DisableWait,
			DisableHooks:        uninstall.DisableHooks,
			KeepHistory:         uninstall.KeepHistory,
			DeletionPropagation: uninstall.GetDeletionPropagation(),
		},
	}
}

func installHalf(hr *helmv2.HelmRelease, gates Gates) Half {
	in := hr.GetInstall()
	half := half(in.GetRetry(gates.DefaultToRetryOnFailure()), in.GetRemediation(), hr.GetTest())
	if in.Strategy != nil && in.Strategy.Name != "" {
		half.Strategy = Strategy(in.Strategy.Name)
	}
	half.Timeout = Duration{in.GetTimeout(hr.GetTimeout()).Duration}
	half.DisableWait, half.DisableWaitForJobs = in.DisableWait, in.DisableWaitForJobs
	half.DisableHooks, half.Replace = in.DisableHooks, in.Replace
	return half
}

func upgradeHalf(hr *helmv2.HelmRelease, gates Gates) Half {
	up := hr.GetUpgrade()
	half := half(up.GetRetry(gates.DefaultToRetryOnFailure()), up.GetRemediation(), hr.GetTest())
	if up.Strategy != nil && up.Strategy.Name != "" {
		half.Strategy = Strategy(up.Strategy.Name)
	}
	half.Timeout = Duration{up.GetTimeout(hr.GetTimeout()).Duration}
	half.DisableWait, half.DisableWaitForJobs = up.DisableWait, up.DisableWaitForJobs
	half.DisableHooks = up.DisableHooks
	half.PreserveValues, half.CleanupOnFail = up.PreserveValues, up.CleanupOnFail
	return half
}

func half(retry helmv2.Retry, rem helmv2.Remediation, test helmv2.Test) Half {
	h := Half{
		Strategy:             RemediateOnFailure,
		Remediation:          Remediation(rem.GetStrategy()),
		Retries:              rem.GetRetries(),
		RemediateLastFailure: rem.MustRemediateLastFailure(),
		IgnoreTestFailures:   rem.MustIgnoreTestFailures(test.IgnoreFailures),
	}
	if retry != nil {
		h.Strategy = RetryOnFailure
		h.RetryInterval = Duration{retry.GetRetryInterval()}
	}
	return h
}

func waitStrategy(hr *helmv2.HelmRelease, gates Gates) string {
	if name := hr.GetWaitStrategy(); name != "" {
		return string(name)
	}
	if gates.UseHelm3Defaults() {
		return string(helmv2.WaitStrategyLegacy)
	}
	return string(helmv2.WaitStrategyPoller)
}

func driftMode(hr *helmv2.HelmRelease) string {
	if mode := hr.GetDriftDetection().Mode; mode != "" {
		return string(mode)
	}
	return string(helmv2.DriftDetectionDisabled)
}
