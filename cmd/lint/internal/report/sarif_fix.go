package report

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/words"
	"github.com/flux-remedy/remedy/pkg/rules"
)

type (
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// fixes writes the edits of files that make a finding go away, if they are known.
func fixes(f Finding) []sarifFix {
	if f.Fix == nil || len(f.Hunks) == 0 {
		return nil
	}
	fix := sarifFix{sarifText{Text: FixText(*f.Fix)}, words.Of(f.Hunks, func(h Hunk) sarifChange {
		return sarifChange{artifact(h.File), []sarifReplacement{{
			Deleted:  sarifRegion{h.Line, h.Column, h.ToLine, h.ToColumn},
			Inserted: sarifText{Text: string(h.Text)},
		}}}
	})}
	return []sarifFix{fix}
}

// repairText says which repair --fix would make of a finding, for formats that hold no
// edits; empty if none is known that nothing objects to.
func repairText(f Finding) string {
	if f.Fix == nil || len(f.Hunks) == 0 {
		return ""
	}
	flag := "--fix"
	if !f.Fix.Safe {
		flag = "--fix=unsafe"
	}
	places := words.Of(f.Hunks, func(h Hunk) string { return place(h.File, h.Line, 0) })
	return fmt.Sprintf("%s repairs it in %s: %s", flag, strings.Join(places, ", "), FixText(*f.Fix))
}

// FixText says what a fix writes: "set spec.timeout to \"5m\"".
func FixText(f rules.Fix) string {
	parts := words.Of(f.Set, func(edit rules.Edit) string {
		value, err := json.Marshal(edit.Value)
		field := edit.Path.String()
		if edit.Object != "" {
			field += " of " + strings.Replace(edit.Object, "/", " ", 1)
		}
		if edit.Value == nil || err != nil {
			return "remove " + field
		}
		return fmt.Sprintf("set %s to %s", field, value)
	})
	text := strings.Join(parts, ", ")
	if !f.Safe {
		text += " (somebody may have wanted it as it is)"
	}
	return text
}
