# METADATA
# title: Verdict
# description: The class of a release and all findings, each with its rule's id and category.
package remedy.main

import data.remedy.lib.class

# METADATA
# description: The query that the engine evaluates for each release.
# entrypoint: true
verdict := {"class": class.name, "report": report}

report contains object.union(finding, {"rule": name, "category": "api"}) if {
	some name
	some finding in data.remedy.rules.api[name].report
}

# An object that the API server refuses never reaches the controller, so only the
# rules of the category api report on it.
report contains object.union(finding, {"rule": name, "category": category}) if {
	not refused
	some category, name
	category != "api"
	speaks(name)
	some finding in data.remedy.rules[category][name].report
}

# Reports whether a rule may report: all may, but only those whose METADATA says
# "alone: true" if one of them has a finding.
speaks(_) if count(alone) == 0

speaks(name) if name in alone

alone contains name if {
	some category, name
	name in data.metadata.alone
	count(data.remedy.rules[category][name].report) > 0
}

# Reports whether a rule with "refuses: true" in its METADATA has a finding.
refused if {
	some name in data.metadata.refusing
	count(data.remedy.rules.api[name].report) > 0
}
