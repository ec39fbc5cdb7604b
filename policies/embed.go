// Package policies embeds the Rego rules that both programs run. It holds data
// only: pkg/rules compiles and evaluates them.
//
// main.rego is the one entrypoint, lib/ what rules share, and each folder
// rules/<category>/<name>/ is one rule.
package policies

import "embed"

// FS holds the policies: *.rego and input.schema.json.
//
//go:embed main.rego input.schema.json lib rules
var FS embed.FS
