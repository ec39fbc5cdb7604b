// Package report turns findings into bytes: one file per format. It knows the
// vocabulary of rules and nothing of Flux, Rego or YAML.
//
//  1. [New] makes a [Report] of findings, merged and sorted (report.go, finding.go).
//     [Format.Write] leaves out what is too mild for the format, and has it written.
//  2. A format writes findings, what is undetermined, and what could not be read:
//     none of the three may be silent. A finding that is waived does not count.
//     What is alike is said once (names.go, gap.go, block.go).
//  3. Messages, names and paths come from manifests and may hold anything. A format
//     gets them as plain lines, unless it is [Format.Exact]. What it takes for
//     syntax it escapes itself.
package report
