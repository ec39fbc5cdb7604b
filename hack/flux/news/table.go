package main

import (
	"fmt"
	"strings"
)

// table returns what is newer in Markdown. The first line is a title, by which a workflow knows whether it has said
// so before.
func table(all []item) string {
	var newer []string
	var rows strings.Builder
	row := func(it item, version, what string) {
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", it.module.name, it.module.known[1:], version, strings.ReplaceAll(what, "|", `\|`))
	}
	for _, it := range all {
		if it.versionsUnknown != "" {
			row(it, "?", "its versions cannot be listed: "+it.versionsUnknown)
			continue
		}
		newer = append(newer, it.module.name+" "+it.version[1:])
		switch {
		case it.cannotBeHad != "":
			row(it, it.version[1:], "cannot be had: "+it.cannotBeHad)
		case len(it.changes) == 0:
			row(it, it.version[1:], "the same fields and gates")
		}
		for _, change := range it.changes {
			row(it, it.version[1:], change)
		}
	}
	title := "Nothing of Flux is newer than what is known"
	if len(newer) > 0 {
		title = "Newer in Flux: " + strings.Join(newer, ", ")
	}
	if rows.Len() == 0 {
		return title + "\n"
	}
	return title + "\n\n| module | known | there is | what it changes |\n|---|---|---|---|\n" + rows.String()
}
