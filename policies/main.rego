# METADATA
# title: Verdict
# description: The one entrypoint. It stamps every finding with the rule that made it.
package main

import data.lib.class

verdict := {"class": class.name, "report": report}

report contains object.union(finding, {"rule": name, "category": category}) if {
	some category, name
	some finding in data.rules[category][name].report
}
