package vap

import (
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// variable is a variable of a policy.
type variable struct {
	Name       string `yaml:"name"`
	Expression string `yaml:"expression"`
}

// settings are the variables that lead to the effective settings of each object, as
// release.Settings has them. An old object without a spec was no release.
func settings(controller release.Controller, law rules.Law) []variable {
	all := fmt.Sprintf(`variables.specs.map(s, {
  'interval': s.?interval.orValue(''),
  'timeout': s.?timeout.orValue('5m'),
  'maxHistory': s.?maxHistory.orValue(5),
  'install': %s,
  'upgrade': %s,
  'test': dyn({
    'enable': s.?test.?enable.orValue(false),
    'ignoreFailures': s.?test.?ignoreFailures.orValue(false),
    'timeout': s.?test.?timeout.orValue('')}),
  'rollback': dyn({
    'disableWait': s.?rollback.?disableWait.orValue(false),
    'timeout': s.?rollback.?timeout.orValue('')}),
  'uninstall': dyn({
    'disableWait': s.?uninstall.?disableWait.orValue(false),
    'keepHistory': s.?uninstall.?keepHistory.orValue(false),
    'deletionPropagation': s.?uninstall.?deletionPropagation.orValue('background'),
    'timeout': s.?uninstall.?timeout.orValue('')})})`, install(controller), upgrade(controller))
	return []variable{
		{"specs", "[object].map(o, o.?spec.orValue({})) +\n" +
			"(request.operation == 'UPDATE' && has(oldObject.spec) ? [oldObject.spec] : [])"},
		{"settings", all},
		unknown(all),
		{"releases", fmt.Sprintf(`variables.settings.map(s, {
  'interval': s.interval, 'timeout': s.timeout, 'maxHistory': s.maxHistory,
  'install': s.install, 'upgrade': s.upgrade, 'test': s.test, 'rollback': s.rollback, 'uninstall': s.uninstall,
  'law': dyn({'maxRetries': %d}),
  'class': dyn(%s)})`, law.MaxRetries, class(law))},
	}
}

func install(controller release.Controller) string {
	return half("install", controller, "s.?install.?remediation.?remediateLastFailure.orValue(false)",
		"'replace': s.?install.?replace.orValue(false)")
}

func upgrade(controller release.Controller) string {
	return half("upgrade", controller, `s.?upgrade.?remediation.?remediateLastFailure.orValue(
      [s.?upgrade.?remediation.?retries.orValue(0)].all(n, type(n) == int && n > 0))`,
		"'remediation': s.?upgrade.?remediation.?strategy.orValue('rollback'),\n"+
			"    'preserveValues': s.?upgrade.?preserveValues.orValue(false)")
}

// half is a half of the settings, of which last says whether the last failure is
// remediated and own are the fields that only this one has.
func half(name string, controller release.Controller, last, own string) string {
	strategy := fmt.Sprintf("s.?%s.?strategy.?name.orValue('%s')", name, release.RemediateOnFailure)
	if controller.Gates.DefaultToRetryOnFailure() && controller.AtLeast(release.KnownGates["DefaultToRetryOnFailure"]) {
		strategy = fmt.Sprintf("s.?%s.?strategy.?name.orValue('%s')", name, release.RetryOnFailure)
	}
	return fmt.Sprintf(`dyn({
    'strategy': %[2]s,
    'retryInterval': s.?%[1]s.?strategy.?retryInterval.orValue('5m'),
    'retries': s.?%[1]s.?remediation.?retries.orValue(0),
    'remediateLastFailure': %[3]s,
    'ignoreTestFailures': s.?%[1]s.?remediation.?ignoreTestFailures.orValue(s.?test.?ignoreFailures.orValue(false)),
    'disableWait': s.?%[1]s.?disableWait.orValue(false),
    'timeout': s.?%[1]s.?timeout.orValue(''),
    %[4]s})`, name, strategy, last, own)
}

// class is the class of some settings s, as policies/lib/class.rego has it.
func class(law rules.Law) string {
	retries := fmt.Sprintf("h.strategy == '%s' && type(h.retryInterval) == string && h.retryInterval.matches('[1-9]')", release.RetryOnFailure)
	bounded := fmt.Sprintf("h.strategy == '%s' && type(h.retries) == int && h.retries > 0 && h.retries <= %d", release.RemediateOnFailure, law.MaxRetries)
	rollsBack := fmt.Sprintf("%s && h.remediation == '%s' && h.remediateLastFailure == true", bounded, release.Rollback)
	of := func(half, condition string) string { return fmt.Sprintf("[s.%s].all(h, %s)", half, condition) }
	return fmt.Sprintf(`[s.install, s.upgrade].all(h, %s) ? '%s' :
    %s && %s ? '%s' :
    !(%s) && %s && %s ? '%s' : '%s'`,
		retries, rules.ClassRetry,
		of("install", bounded), of("upgrade", rollsBack), rules.ClassBounded,
		knownBoth, of("install", fmt.Sprintf("!(%s) || %s || %s", knownInstall, retries, bounded)),
		of("upgrade", fmt.Sprintf("!(%s) || %s || %s", knownUpgrade, retries, rollsBack)), rules.ClassUnknown, rules.ClassViolating)
}
