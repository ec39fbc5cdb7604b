# METADATA
# title: What an uninstall deletes
# description: |
#   What is lost, by the chart itself where that is known, and else by its name.
package remedy.lib.loss

import data.remedy.lib.chart

# Reports whether data is surely lost.
lost if {
	input.loss.certain
	count(input.loss.lost) > 0
}

# Reports whether surely nothing is lost that holds data.
nothing if {
	input.loss.certain
	count(input.loss.lost) == 0
}

# Reports whether surely nothing is lost of the release that an update replaces.
replaced_nothing if {
	input.replaced.certain
	count(input.replaced.lost) == 0
}

# What an uninstall takes along, as the end of a sentence.
along := taken(_own, chart.stateful)

default _own := {}

_own := input.loss

# The same of the release that an update replaces, by its chart where a comparison knows that, and
# whether the name of its chart is listed.
replaced(listed) := taken(_replaced, listed)

default _replaced := {}

_replaced := input.replaced

taken(section, _) := sprintf(", and with it %s", [names(section.lost)]) if {
	section.certain
	count(section.lost) > 0
} else := "; nothing that it deletes holds data" if {
	section.certain
} else := sprintf(", and with it at least %s", [names(section.lost)]) if {
	count(section.lost) > 0
}

taken(section, listed) := by_name(listed) if {
	not section.certain
	count(object.get(section, "lost", [])) == 0
}

# The same where only the name of the chart is known, and whether it is listed.
default by_name(_) := ", with the volume claims and custom resources in its templates"

by_name(true) := concat("", [
	", with the volume claims and custom resources in its templates ",
	"(by name: it is listed as a chart that holds data)",
])

# What stays, as one more sentence; empty if that is not known or nothing.
stays := sprintf("; %s stays", [names(input.loss.kept)]) if {
	lost
	count(input.loss.kept) > 0
} else := ""

_most := 4

# Some names as text, of many the first.
names(list) := concat(", ", list) if {
	count(list) <= _most
} else := sprintf("%s and %d more", [concat(", ", array.slice(list, 0, _most)), count(list) - _most])

# A finding that is as much worse as its rule says, where data is surely lost.
weighed(finding) := object.union(finding, {"raise": 1}) if {
	lost
} else := finding
