package vap

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// knownInstall and knownUpgrade are whether it is known what a half h does on failure.
var (
	knownInstall = fmt.Sprintf("%s && h.strategy in ['%s', '%s']", decided, release.RetryOnFailure, release.RemediateOnFailure)
	knownUpgrade = fmt.Sprintf("%s && (h.strategy == '%s' || h.strategy == '%s' && h.remediation in ['%s', '%s'])",
		decided, release.RetryOnFailure, release.RemediateOnFailure, release.Rollback, release.Uninstall)
)

// decided is whether it can be read what a half h does on failure.
var decided = readable("h.retryInterval", "h.retries", "h.remediateLastFailure")

// knownBoth is whether it is known what both halves of some settings s do on failure.
var knownBoth = fmt.Sprintf("[s.install].all(h, %s) && [s.upgrade].all(h, %s)", knownInstall, knownUpgrade)

// read matches a setting of a release r that an expression reads.
var read = regexp.MustCompile(`\br\.(?:(?:install|upgrade|test|rollback|uninstall)\.)?(\w+)`)

// typed makes a condition on a release r false where it reads a setting whose value is of a type that is
// not known here: the API server is newer.
func typed(condition string) string {
	var settings []string
	for _, match := range read.FindAllStringSubmatch(condition, -1) {
		if match[1] != "class" && match[1] != "law" && !slices.Contains(settings, match[0]) {
			settings = append(settings, match[0])
		}
	}
	if len(settings) == 0 {
		return condition
	}
	return readable(settings...) + " && (" + condition + ")"
}

// readable is whether the values of some settings are of the types that are known here.
func readable(settings ...string) string {
	var all []string
	for _, setting := range settings {
		all = append(all, fmt.Sprintf("type(%s) == %s", setting, typeOf(setting[strings.LastIndex(setting, ".")+1:])))
	}
	return strings.Join(all, " && ")
}

func typeOf(setting string) string {
	switch setting {
	case "retries", "maxHistory":
		return "int"
	case "interval", "timeout", "retryInterval", "strategy", "remediation", "deletionPropagation":
		return "string"
	}
	return "bool"
}

// written matches a field that expressions read of a spec s.
var written = regexp.MustCompile(`\bs((?:\.\?\w+)+)\.orValue`)

// unknown is a variable that names the fields of failure settings, and those with a value, that are not known
// here: the API server is newer. Of the old object it names those that rules cannot compare.
func unknown(settings string) variable {
	var parts, old []string
	fields, words := release.FailureFields(), release.FailureWords()
	for _, above := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("object.?%s.orValue({}).filter(k, !(k in [%s])).map(k, '%s.' + k)",
			strings.ReplaceAll(above, ".", ".?"), quoted(fields[above]), above))
	}
	of := func(object, field, otherwise, when, name string) string {
		return fmt.Sprintf("[%s.?%s.orValue(%s)].filter(v, %s).map(v, '%s')", object, strings.ReplaceAll(field, ".", ".?"), otherwise, when, name)
	}
	for _, field := range slices.Sorted(maps.Keys(words)) {
		first, when := quoted(words[field][:1]), fmt.Sprintf("!(v in [%s])", quoted(words[field]))
		parts = append(parts, of("object", field, first, when, field))
		if !strings.HasSuffix(field, ".strategy.name") && !strings.HasSuffix(field, ".remediation.strategy") {
			when = "type(v) != string"
		}
		old = append(old, of("oldObject", field, first, when, "oldObject."+field))
	}
	zero := map[string]string{"int": "0", "string": "''", "bool": "false"}
	for _, match := range written.FindAllStringSubmatch(settings, -1) {
		field := "spec" + strings.ReplaceAll(match[1], ".?", ".")
		if words[field] != nil {
			continue
		}
		kind := typeOf(field[strings.LastIndex(field, ".")+1:])
		words[field] = []string{kind} // it is named once
		parts = append(parts, of("object", field, zero[kind], "type(v) != "+kind, field))
		old = append(old, of("oldObject", field, zero[kind], "type(v) != "+kind, "oldObject."+field))
	}
	return variable{"unknown", strings.Join(parts, " +\n") + " +\n(request.operation != 'UPDATE' ? [] :\n" + strings.Join(old, " +\n") + ")"}
}

func quoted(words []string) string { return "'" + strings.Join(words, "', '") + "'" }
