package report

import (
	"fmt"
	"strings"
)

// Place is a line of a file.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// What is written there: "patch 2 of Kustomization flux-system/apps";
	// empty for the release's own document.
	What string `json:"what,omitempty"`
}

// place names a place in a file as tools do: file:line:column.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// written says what is written in a place and where; the file once.
func (p Place) written() string {
	at := place(p.File, p.Line, 0)
	if what, same := strings.CutSuffix(p.What, " "+p.File); same {
		return what + " " + at
	}
	return p.What + ", " + at
}
