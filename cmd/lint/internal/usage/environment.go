package usage

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// VariablePrefix begins the variables that stand for flags.
const VariablePrefix = "FLUX_REMEDY_"

// variables are the flags that a job in CI may need, for which a variable can stand. True if it
// does for every command, and not only for those that judge a tree.
var variables = map[string]bool{
	"config": true, "policy": true, "bundle": true, "verify-key": true, "timeout": true, "max-memory": true,
	"cluster": false, "source": false, "charts": false, "rendered": false, "unapplied": false,
	"select": false, "ignore": false, "output": false, "min-severity": false, "fail-on": false, "strict": false,
	"new-from": false, "baseline": false, "base": false, "fail-on-inherited": false, "allow-policy-change": false,
	"disallow-waivers": false,
}

// Variable returns the variable that stands for a flag; empty if none does.
func Variable(flag string) string {
	if _, ok := variables[flag]; !ok {
		return ""
	}
	return VariablePrefix + strings.ReplaceAll(strings.ToUpper(flag), "-", "_")
}

// FromEnvironment sets the flags of a command that are not given, from variables written as NAME=VALUE.
// A flag that a given one excludes is left alone. Each variable that stands for no flag is passed to unknown.
func FromEnvironment(cmd *cobra.Command, environ []string, unknown func(name string, known []string)) error {
	flags := map[string]string{}
	for flag := range variables {
		flags[Variable(flag)] = flag
	}
	given := map[string]bool{}
	cmd.Flags().Visit(func(f *pflag.Flag) { given[f.Name] = true })
	for _, variable := range environ {
		name, value, _ := strings.Cut(variable, "=")
		if !strings.HasPrefix(name, VariablePrefix) || value == "" {
			continue
		}
		flag, known := flags[name]
		if !known {
			unknown(name, slices.Sorted(maps.Keys(flags)))
			continue
		}
		f := cmd.Flags().Lookup(flag)
		if f == nil || given[flag] || excluded(f, given) || !variables[flag] && cmd.Name() != "lint" && cmd.Name() != "diff" {
			continue
		}
		if err := set(cmd, f, value); err != nil {
			return fmt.Errorf("%s=%s: want %s", name, value, wanted(f))
		}
	}
	return nil
}

// set sets a flag. Of one that is repeated, commas separate the values.
func set(cmd *cobra.Command, f *pflag.Flag, value string) error {
	values := []string{value}
	if f.Value.Type() == "stringArray" {
		values = strings.Split(value, ",")
	}
	for _, value := range values {
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			return err
		}
	}
	return nil
}

func excluded(f *pflag.Flag, given map[string]bool) bool {
	for _, group := range f.Annotations["cobra_annotation_mutually_exclusive"] {
		if slices.ContainsFunc(strings.Fields(group), func(name string) bool { return given[name] }) {
			return true
		}
	}
	return false
}
