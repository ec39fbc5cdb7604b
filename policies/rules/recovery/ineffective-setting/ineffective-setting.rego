# METADATA
# title: A setting that has no effect
# description: |
#   Settings that the controller accepts and does not read, so that the file says
#   more than what happens: a `remediation` beside `RetryOnFailure` (there is no
#   rollback), a `rollback` block where nothing is rolled back, `rollback.recreate`
#   since helm-controller 1.5.0, `install.skipCRDs`, which has not kept CRDs out for
#   years.
#
#   Not reported: `ignoreTestFailures`, which is read under both strategies, and
#   `install.remediation.retries: -1` where both halves retry: it lets the release
#   be installed again after somebody removed it by hand.
# related_resources:
# - ref: https://fluxcd.io/flux/components/helm/helmreleases/#configuring-failure-handling
#   description: Configuring failure handling
# custom:
#   help: Remove the setting.
#   severity: {production: info, staging: "off", development: "off"}
#   since: 0.1.0
#   scenario: upgrade-fails
#   ignored: true
package remedy.rules.recovery["ineffective-setting"]

import data.remedy.lib
import data.remedy.lib.api

report contains lib.fixed(path, message, lib.safe(removals(name, path, dead))) if {
	some name in lib.names
	lib.retry(name)
	explicit(name)
	path := lib.at(name, ["remediation"])
	input.written[name].remediation
	dead := [key | some key in ["retries", "remediateLastFailure", "strategy"]; lib.remediation_written(key, name); not kept(name, key)]
	count(dead) > 0
	message := sprintf("a failed %s is retried and never remediated: %s %s", [name, concat(" and ", dead), verb(count(dead))])
}

report contains lib.fixed(["spec", "rollback"], message, lib.safe([lib.remove(["spec", "rollback"])])) if {
	rollback_ignored
	message := sprintf("nothing is ever rolled back, because %s: the rollback settings have no effect", [unused])
}

report contains lib.keyed(lib.fixed(path, message, lib.safe([lib.remove(path)]))) if {
	input.object.spec.rollback.recreate == true
	lib.resolved
	api.at_least("1.5.0")
	not rollback_ignored
	path := ["spec", "rollback", "recreate"]
	message := "a rollback does not recreate pods: since helm-controller 1.5.0 this only writes a warning to its log"
}

report contains lib.keyed(lib.fixed(path, message, fix)) if {
	input.object.spec.install.skipCRDs == true
	lib.resolved
	path := ["spec", "install", "skipCRDs"]
	fix := skip(path)
	message := "the chart's CRDs are installed all the same: helm-controller has not read skipCRDs since 0.37.0"
}

verb(1) := "has no effect"

verb(n) := "have no effect" if n > 1

explicit(name) if input.written[name].strategy

# Reports whether a field still has an effect. Retries of the install below zero do: a
# Helm release that somebody removes while it fails is installed again.
kept("install", "retries") if {
	input.effective.install.retries < 0
	lib.retry("upgrade")
}

# The edits that remove the dead fields, or the whole block if nothing else is in it.
removals(name, path, dead) := [lib.remove(path)] if {
	count(input.object.spec[name].remediation) == count(dead)
} else := [lib.remove(array.concat(path, [key])) | some key in dead]

# Reports whether spec.rollback is set but never read.
rollback_ignored if {
	explicit("upgrade")
	unused
	count(input.object.spec.rollback) > 0
}

unused := "a failed upgrade is retried" if lib.retry("upgrade")

unused := "a failed upgrade is uninstalled" if lib.uninstalls_upgrade

# If install.crds is not set, skipping CRDs was probably meant.
skip(path) := lib.safe([lib.remove(path)]) if {
	input.written.install.crds
} else := lib.unsafe([lib.remove(path), lib.set(["spec", "install", "crds"], "Skip")])
