package usage

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// NewMan returns the command that writes the man pages.
func NewMan() *cobra.Command {
	return &cobra.Command{
		Use:     "man DIR",
		Short:   "Write the man pages to a folder",
		Long:    "Write a man page of every command to the folder DIR, which is made if it is not there.",
		Example: `  flux-remedy man ~/.local/share/man/man1`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeManTo(cmd.Root(), args[0])
		},
	}
}

// writeManTo writes man pages of a command and of those below it, without a date, to a folder
// that is made if it is not there.
func writeManTo(cmd *cobra.Command, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write man pages: %w", err)
	}
	return writeMan(cmd, dir)
}

func writeMan(cmd *cobra.Command, dir string) error {
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writeMan(sub, dir); err != nil {
			return err
		}
	}
	file := filepath.Join(dir, manName(cmd)+".1")
	if err := os.WriteFile(file, []byte(manPage(cmd)), 0o644); err != nil {
		return fmt.Errorf("write man page: %w", err)
	}
	return nil
}

// manPage writes roff itself: the pages of cobra/doc are made of Markdown, by a parser that takes a millisecond of each
// start of the program, and do not name the values of flags.
func manPage(cmd *cobra.Command) string {
	cmd.InitDefaultHelpCmd()
	cmd.InitDefaultHelpFlag()
	name := manName(cmd)
	out := fmt.Sprintf(".nh\n.TH \"%s\" \"1\" \"\" \"Flux Remedy\" \"Flux Remedy\"\n", strings.ToUpper(name))
	out += section("NAME", name+" - "+text(cmd.Short)+"\n") // as whatis reads it
	out += section("SYNOPSIS", bold(cmd.UseLine())+"\n")
	long := cmd.Long
	if long == "" {
		long = cmd.Short
	}
	out += section("DESCRIPTION", paragraphs(long))
	out += section("OPTIONS", options(cmd.NonInheritedFlags()))
	out += section("OPTIONS INHERITED FROM PARENT COMMANDS", options(cmd.InheritedFlags()))
	if cmd.Example != "" {
		out += section("EXAMPLE", example(cmd.Example))
	}
	return out + section("SEE ALSO", seeAlso(cmd))
}

func manName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// section returns a section; nothing without content.
func section(title, content string) string {
	if content == "" {
		return ""
	}
	return "\n.SH " + title + "\n" + content
}

// text returns text that roff shows as it is, each minus one that can be copied.
func text(s string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

func bold(s string) string { return `\fB` + text(s) + `\fR` }

func italic(s string) string { return `\fI` + text(s) + `\fR` }

func example(s string) string { return ".EX\n" + text(s) + "\n.EE\n" }

// paragraphs returns what blank lines part. What is indented stays as it is.
func paragraphs(s string) string {
	var out []string
	for part := range strings.SplitSeq(s, "\n\n") {
		if strings.HasPrefix(part, " ") {
			out = append(out, example(part))
		} else {
			out = append(out, text(part)+"\n")
		}
	}
	return strings.Join(out, ".PP\n")
}

func options(flags *pflag.FlagSet) string {
	var out strings.Builder
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Deprecated != "" {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(&out, ".TP\n%s\n%s\n", option(f, value), text(usage+preset(f)))
	})
	return out.String()
}

// option returns a flag as it is written, with the name of its value.
func option(f *pflag.Flag, value string) string {
	out := bold("--" + f.Name)
	if f.Shorthand != "" {
		out = bold("-"+f.Shorthand) + ", " + out
	}
	switch {
	case value == "":
		return out
	case f.NoOptDefVal != "":
		return out + "[=" + italic(value) + "]"
	}
	return out + "=" + italic(value)
}

// preset says what a flag is if it is not given; nothing if that is nothing.
func preset(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "false", "0", "[]":
		return ""
	}
	return " (default " + f.DefValue + ")"
}

func seeAlso(cmd *cobra.Command) string {
	var out []string
	if cmd.HasParent() {
		out = append(out, bold(manName(cmd.Parent()))+"(1)")
	}
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, bold(manName(sub))+"(1)")
		}
	}
	return strings.Join(out, ", ") + "\n"
}

// Complete has shells, and the Flux CLI for its plugins, offer values of a flag.
func Complete(cmd *cobra.Command, flag string, values []string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the flag is not there
	}
}

// patience is how long a shell waits for what must be read first.
const patience = 5 * time.Second

// CompleteLater has shells offer values of a flag that must be looked for.
func CompleteLater(cmd *cobra.Command, flag string, values func(ctx context.Context, args []string) []string) {
	err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		ctx, cancel := context.WithTimeout(cmd.Context(), patience)
		defer cancel()
		return values(ctx, args), cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic(err) // the flag is not there
	}
}

// completions has the command that writes the scripts of shells refuse a shell that it does not
// know: cobra shows its help, as if all were well.
func completions(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}
