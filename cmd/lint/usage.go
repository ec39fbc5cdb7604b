package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// explain has every error in how a command is called say what to do about it.
func explain(root *cobra.Command) {
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		var invalid *pflag.InvalidValueError
		if errors.As(err, &invalid) {
			return fmt.Errorf("--%s %s: want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid.GetFlag()))
		}
		return fmt.Errorf("%w: \"%s --help\" lists the flags", err, cmd.CommandPath())
	})
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
		if err := check(cmd, args); err != nil {
			return fmt.Errorf("%w: want %s", err, strings.TrimSuffix(cmd.UseLine(), " [flags]"))
		}
		return nil
	}
}

// wanted says what the value of a flag is.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a duration such as 10m"
	case "int":
		return "a number"
	case "bool":
		return "true or false"
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}

var exclusive = regexp.MustCompile(`^if any flags in the group .* are set none of the others can be; \[(\S+) (.*)\] were all set$`)

// inOurWords puts what cobra says of a command line on one line.
func inOurWords(text string) string {
	if m := exclusive.FindStringSubmatch(text); m != nil {
		return "--" + m[1] + " and --" + strings.ReplaceAll(m[2], " ", " and --") + " exclude each other: give one of them"
	}
	if command, offers, ok := strings.Cut(text, "\n\nDid you mean this?\n\t"); ok {
		return command + ": did you mean " + strings.Join(strings.Fields(offers), " or ") + "?"
	}
	return text
}
