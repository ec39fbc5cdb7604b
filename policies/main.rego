# METADATA
# title: Verdict
# description: It stamps every finding with the rule that made it.
package remedy.main

import data.remedy.lib.class

# METADATA
# description: What is asked of each release.
# entrypoint: true
verdict := {"class": class.name, "report": report}

report contains object.union(finding, {"rule": name, "category": "api"}) if {
	some name
	some finding in data.remedy.rules.api[name].report
}

# An object that the API server refuses never reaches the controller: only the
# rules about the API can say something true of it.
report contains object.union(finding, {"rule": name, "category": category}) if {
	not refused
	some category, name
	category != "api"
	some finding in data.remedy.rules[category][name].report
}

# Whether a rule reports that has "refuses: true" in its METADATA.
refused if {
	some name in data.metadata.refusing
	count(data.remedy.rules.api[name].report) > 0
}
