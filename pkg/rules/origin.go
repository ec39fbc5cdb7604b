package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Origin is where something is written in the policies.
type Origin struct {
	// Source is the number of the file system that [New] was given, from 0.
	Source int `json:"source"`
	// File is its file there; empty if that is not known.
	File string `json:"file"`
	// Line counts from 1.
	Line int `json:"line"`
}

// OriginOf returns where a location of the compiler is: it has the number of the source
// before the name of the file.
func OriginOf(l *ast.Location) Origin {
	if l == nil {
		return Origin{}
	}
	number, file, _ := strings.Cut(l.File, "/")
	source, err := strconv.Atoi(number)
	if err != nil {
		return Origin{File: l.File, Line: l.Row}
	}
	return Origin{source, file, l.Row}
}

// MetadataError is a mistake in the METADATA of a rule.
type MetadataError struct {
	Origin
	// Rule is the rule's id.
	Rule string
	// Field is what is wrong, as custom.severity.staging; empty if it is all of it.
	Field string
	Err   error
}

func (e *MetadataError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("rule %s: METADATA: %v", e.Rule, e.Err)
	}
	return fmt.Sprintf("rule %s: METADATA: %s: %v", e.Rule, e.Field, e.Err)
}

func (e *MetadataError) Unwrap() error { return e.Err }

// wrong returns an error about a field of a rule's METADATA.
func (r Rule) wrong(field string, err error) error {
	return &MetadataError{Origin: r.Origin, Rule: r.ID, Field: field, Err: err}
}

// CustomFields lists what the METADATA of a rule may say below custom.
func CustomFields() []string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[customMetadata]()) {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
