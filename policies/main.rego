# METADATA
# title: Verdict
# description: The one entrypoint. It stamps every finding with the rule that made it.
package main

import data.lib.api
import data.lib.class

verdict := {"class": class.name, "report": report}

report contains object.union(finding, {"rule": name, "category": "api"}) if {
	some name
	some finding in data.rules.api[name].report
}

# An object that the API server refuses never reaches the controller: only the
# rules about the API can say something true of it.
report contains object.union(finding, {"rule": name, "category": category}) if {
	not refused
	some category, name
	category != "api"
	some finding in data.rules[category][name].report
}

refused if api.removed

refused if count(data.rules.api["invalid-value"].report) > 0
