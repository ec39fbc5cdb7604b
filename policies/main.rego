# METADATA
# title: Verdict
# description: The class of a release and all findings, each with its rule's id and category.
package remedy.main

# METADATA
# description: |
#   What the engine says of a release. The engine asks for the class and for each rule by
#   themselves, because it remembers what they answer, and puts the answers together as
#   is written here; a test holds it to that.
# entrypoint: true
verdict := {"class": class, "report": report}

class := data.remedy.lib.class.name

# The rules that are asked, by category.
rules[category] contains name if {
	some category, names in data.metadata.rules
	some name in names
	not name in object.get(input, "open", [])
}

report contains object.union(finding, {"rule": name, "category": "api"}) if {
	some name in rules.api
	some finding in data.remedy.rules.api[name].report
}

# An object that the API server refuses never reaches the controller, so only the
# rules of the category api report on it.
report contains object.union(finding, {"rule": name, "category": category}) if {
	not refused
	some category, names in rules
	category != "api"
	some name in names
	speaks(name)
	some finding in data.remedy.rules[category][name].report
}

# Reports whether a rule may report: all may, but only those whose METADATA says
# "alone: true" if one of them has a finding.
speaks(_) if count(alone) == 0

speaks(name) if name in alone

alone contains name if {
	some category, names in rules
	some name in names
	name in data.metadata.alone
	not held(name)
	count(data.remedy.rules[category][name].report) > 0
}

# Reports whether a rule with "refuses: true" in its METADATA has a finding. One that is
# milder than the rule is on what may be right.
refused if {
	some name in data.metadata.refusing
	name in rules.api
	not held(name)
	some finding in data.remedy.rules.api[name].report
	object.get(finding, "raise", 0) >= 0
}

# Reports whether the configuration holds a rule back: then it silences no other one.
held(name) if name in object.get(input, "held", [])
