package rules

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/rules/internal/rego"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Origin is where something is written in the policies.
type Origin = rego.Origin

// OriginOf returns where a location of the compiler is.
func OriginOf(l *ast.Location) Origin { return rego.OriginOf(l) }

// PackageError is a file of a user that is not in the package of a rule, or reports nothing.
type PackageError = rego.PackageError

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
