package usage

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestManPage(t *testing.T) {
	root := &cobra.Command{Use: "tool", Short: "Short"}
	cmd := &cobra.Command{
		Use: "do [FILE]", Short: `Do a \n thing`, Example: "  tool do",
		Long: ".TH is no macro here,\n'nor is this\n\n  indented\n\nLast.",
		Run:  func(*cobra.Command, []string) {},
	}
	root.AddCommand(cmd)
	cmd.Flags().StringP("output", "o", "text", "write `FORMAT`")
	cmd.Flags().String("fix", "", "repair `KIND`")
	cmd.Flags().Lookup("fix").NoOptDefVal = "safe"
	cmd.Flags().Bool("secret", false, "")
	_ = cmd.Flags().MarkHidden("secret")
	const want = `.nh
.TH "TOOL-DO" "1" "" "Flux Remedy" "Flux Remedy"

.SH NAME
tool-do - Do a \en thing

.SH SYNOPSIS
\fBtool do [FILE] [flags]\fR

.SH DESCRIPTION
\&.TH is no macro here,
\&'nor is this
.PP
.EX
  indented
.EE
.PP
Last.

.SH OPTIONS
.TP
\fB\-\-fix\fR[=\fIKIND\fR]
repair KIND
.TP
\fB\-h\fR, \fB\-\-help\fR
help for do
.TP
\fB\-o\fR, \fB\-\-output\fR=\fIFORMAT\fR
write FORMAT (default text)

.SH EXAMPLE
.EX
  tool do
.EE

.SH SEE ALSO
\fBtool\fR(1)
`
	if have := manPage(cmd); have != want {
		t.Errorf("%s\nwant\n%s", have, want)
	}
	if page := manPage(root); !strings.HasSuffix(page, "\n.SH SEE ALSO\n\\fBtool\\-do\\fR(1)\n") {
		t.Error(page)
	}
}
