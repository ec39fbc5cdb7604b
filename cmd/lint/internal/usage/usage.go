// Package usage makes a cobra program say what to do about a mistake on the
// command line, in one line, and show flags as they are typed.
package usage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Explain sets up the help of a program, and the errors about how its commands are
// called. The program's commands must be there.
func Explain(root *cobra.Command) {
	root.DisableSuggestions = true // UnknownCommand offers commands instead
	cobra.AddTemplateFunc("asTyped", asTyped)
	root.SetUsageTemplate(strings.NewReplacer(
		"{{.LocalFlags.FlagUsages ", "{{(asTyped .LocalFlags).FlagUsagesWrapped 100 ",
		"{{.InheritedFlags.FlagUsages ", "{{(asTyped .InheritedFlags).FlagUsagesWrapped 100 ",
	).Replace(root.UsageTemplate()))
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) {
			return fmt.Errorf("--%s %s: want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid.GetFlag()))
		}
		return fmt.Errorf("%w: \"%s --help\" lists the flags", err, cmd.CommandPath())
	})
	completions(root)
	explainArgs(root)
}

func explainArgs(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		explainArgs(sub)
	}
	check := cmd.Args
	if check == nil {
		return // paths, or a command, of which cobra itself says which there are
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		switch {
		case err == nil:
			return nil
		case cmd.HasAvailableSubCommands() && !strings.Contains(cmd.Use, " "): // it takes nothing itself
			return fmt.Errorf("%w: want %s%s", err, strings.Join(subcommands(cmd), ", "), offer(cmd, args[0]))
		}
		return fmt.Errorf("%w: want %s", err, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
	}
}

// subcommands lists the commands of a command as they are typed.
func subcommands(cmd *cobra.Command) []string {
	var names []string
	for _, sub := range cmd.Commands() {
		names = append(names, sub.CommandPath())
	}
	return names
}

// offer asks for the commands that are written like a word.
func offer(cmd *cobra.Command, word string) string {
	cmd.SuggestionsMinimumDistance = 2
	if offers := cmd.SuggestionsFor(word); len(offers) > 0 {
		return "; did you mean " + strings.Join(offers, " or ") + "?"
	}
	return ""
}

func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 10m"
	case "bytes":
		return "a size such as 2GiB"
	case "int":
		return "a number"
	case "bool":
		return "true or false"
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// Exclude refuses to set more than one of these flags; cobra then completes none
// of the others.
func Exclude(cmd *cobra.Command, names ...string) {
	cmd.MarkFlagsMutuallyExclusive(names...)
	slices.Sort(names)
	Check(cmd, func(flags *pflag.FlagSet) error {
		var given []string
		for _, name := range names {
			if flags.Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s exclude each other: give one of them", strings.Join(given, " and "))
		}
		return nil
	})
}

// Need refuses to set a flag without another one, without which it says nothing.
func Need(cmd *cobra.Command, name, other string) {
	Check(cmd, func(flags *pflag.FlagSet) error {
		if flags.Changed(name) && !flags.Changed(other) {
			return fmt.Errorf("--%s: give --%s too", name, other)
		}
		return nil
	})
}

// Check adds a check of the flags that are given, after those that are there.
func Check(cmd *cobra.Command, check func(*pflag.FlagSet) error) {
	before := cmd.PreRunE
	cmd.PreRunE = func(cmd *cobra.Command, args []string) error {
		if before != nil {
			if err := before(cmd, args); err != nil {
				return err
			}
		}
		return check(cmd.Flags())
	}
}

// UnknownCommand returns an error if args start with what is no command, and
// offers the commands that are written like it.
func UnknownCommand(root *cobra.Command, args []string) error {
	_, rest, err := root.Find(args)
	if err == nil {
		return nil
	}
	word := slices.IndexFunc(rest, func(arg string) bool { return !strings.HasPrefix(arg, "-") })
	if word < 0 {
		return err
	}
	return fmt.Errorf("%w%s", err, offer(root, rest[word]))
}
