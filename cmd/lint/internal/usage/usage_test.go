package usage_test

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/flux-remedy/remedy/cmd/lint/internal/usage"
)

// program is a program with one command.
func program() *cobra.Command {
	root := &cobra.Command{Use: "program", SilenceErrors: true, SilenceUsage: true}
	lint := &cobra.Command{Use: "lint FILE", Args: cobra.ExactArgs(1), RunE: func(*cobra.Command, []string) error { return nil }}
	lint.Flags().String("fix", "", "repair what is found, by `KIND`")
	lint.Flags().Lookup("fix").NoOptDefVal = "safe"
	lint.Flags().Bool("new", false, "only what is new")
	lint.Flags().Bool("old", false, "only what is old")
	lint.Flags().Int("most", 0, "how many")
	usage.Exclude(lint, "old", "new")
	usage.Exclude(lint, "new", "fix")
	root.AddCommand(lint)
	usage.Explain(root)
	return root
}

func TestMistakes(t *testing.T) {
	for line, want := range map[string]string{
		"lint a":                    "",
		"lint":                      "accepts 1 arg(s), received 0: want program lint FILE",
		"lint a --nope":             `unknown flag: --nope: "program lint --help" lists the flags`,
		"lint a --most few":         "--most few: want a number",
		"lint a --old --new":        "--new and --old exclude each other: give one of them",
		"lint a --fix --new":        "--fix and --new exclude each other: give one of them",
		"lint a --fix --old":        "",
		"lnt a":                     `unknown command "lnt" for "program"; did you mean lint?`,
		"lnt --nope a":              `unknown command "lnt" for "program"; did you mean lint?`,
		"something-else-altogether": `unknown command "something-else-altogether" for "program"`,
		"--nope":                    `unknown flag: --nope: "program --help" lists the flags`,
	} {
		root, args := program(), strings.Fields(line)
		root.SetArgs(args)
		root.SetOut(io.Discard)
		err := root.Execute()
		if unknown := usage.UnknownCommand(root, args); err != nil && unknown != nil {
			err = unknown
		}
		if got := text(err); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// A value that may be left out is in brackets, one that may not is not.
func TestFlagsAsTyped(t *testing.T) {
	root := program()
	var out strings.Builder
	root.SetArgs([]string{"lint", "--help"})
	root.SetOut(&out)
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"      --fix[=KIND]   repair what is found, by KIND\n", "      --most int     how many\n", "      --new          only what is new\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in:\n%s", want, out.String())
		}
	}
}
