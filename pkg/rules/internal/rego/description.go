package rego

import (
	"encoding/json"
	"fmt"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Description is what the METADATA of a rule's package says, unchecked.
type Description struct {
	// ID is the name of the rule's folder.
	ID string `json:"id"`
	// Category is the folder above it.
	Category    string      `json:"category"`
	Title       string      `json:"title"`
	Description string      `json:"description"`
	References  []Reference `json:"references,omitempty"`
	// Custom is what is below custom; nil without METADATA.
	Custom json.RawMessage `json:"custom"`
	// Origin is where its METADATA begins; without any, where its package does.
	Origin Origin `json:"origin"`
}

// Reference is a page about a rule's subject.
type Reference struct {
	URL         string
	Description string
}

// describe reads the METADATA of a rule's package.
func describe(pkg *ast.Package, meta *ast.Annotations) (Description, error) {
	out := Description{ID: pkgName(pkg, atID), Category: pkgName(pkg, atCategory), Origin: OriginOf(pkg.Location)}
	if meta == nil {
		return out, nil
	}
	out.Title, out.Description, out.Origin = meta.Title, meta.Description, OriginOf(meta.Location)
	for _, r := range meta.RelatedResources {
		out.References = append(out.References, Reference{URL: r.Ref.String(), Description: r.Description})
	}
	var err error
	if out.Custom, err = json.Marshal(meta.Custom); err != nil {
		return out, fmt.Errorf("rule %s: METADATA custom: %w", out.ID, err)
	}
	return out, nil
}
