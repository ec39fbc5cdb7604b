package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// manPage returns the man page of a command, as roff.
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
