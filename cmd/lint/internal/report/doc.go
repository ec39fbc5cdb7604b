// Package report turns findings into bytes: one file per format. It knows the
// vocabulary of rules and nothing of Flux, Rego or YAML.
package report
