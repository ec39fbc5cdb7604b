package rules

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// CELFault is what a rule reports at one field, as an expression of CEL for a
// ValidatingAdmissionPolicy. It sees the effective settings as r, by the names of
// input.effective; durations are text, and empty where an action has none of its own.
type CELFault struct {
	// At is the field. Of several, it is the first that is written, or else the last.
	At CELFields `json:"at"`
	// Fault is true if the rule reports.
	Fault string `json:"fault"`
	// Since is a version of custom.tightened, if the rule reports it only since then.
	Since string `json:"since"`
	// Degree is a number that grows as the fault gets worse; empty if there is none.
	Degree string `json:"degree"`
}

// CELFields are one or more fields below spec, with dots.
type CELFields []release.Path

// UnmarshalJSON reads one field or a list of them.
func (f *CELFields) UnmarshalJSON(b []byte) error {
	var names []string
	if err := json.Unmarshal(b, &names); err != nil {
		names = []string{""}
		if err := json.Unmarshal(b, &names[0]); err != nil {
			return err
		}
	}
	for _, name := range names {
		var path release.Path
		for step := range strings.SplitSeq(name, ".") {
			path = append(path, step)
		}
		*f = append(*f, path)
	}
	return nil
}

func (f CELFault) validate() error {
	outside := func(path release.Path) bool { return path[0] != "spec" }
	switch {
	case len(f.At) == 0:
		return errors.New("at is missing")
	case f.Fault == "":
		return errors.New("fault is missing")
	case slices.ContainsFunc(f.At, outside):
		return fmt.Errorf("at %v: want fields below spec", f.At)
	}
	return nil
}
