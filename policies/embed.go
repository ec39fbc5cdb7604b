// Package policies embeds the Rego rules that both programs run. It holds data
// only: pkg/rules compiles and evaluates them.
//
// main.rego is the one entrypoint, lib/ what rules share, and each folder
// rules/<category>/<name>/ is one rule. prepared.txt holds them compiled.
package policies

import "embed"

// FS holds the policies: *.rego, input.schema.json and prepared.txt.
//
//go:embed main.rego input.schema.json prepared.txt lib rules
var FS embed.FS
