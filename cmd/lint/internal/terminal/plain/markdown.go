package plain

import "strings"

// Markdown returns a line that Markdown, and HTML in it, shows as it is: no
// markup, link, image, mention, reference or formula. A web site takes no part of
// it for a person or an issue, by a space of no width, and no line for a command.
func Markdown(s string) string {
	s = references.Replace(MarkdownCode(s))
	if rest, ok := strings.CutPrefix(s, "/"); ok {
		s = "&#47;" + rest // GitLab would do /approve
	}
	return s
}

// MarkdownCode returns a line for the inside of <code>, where nothing is a mention.
func MarkdownCode(s string) string { return syntax.Replace(Line(s)) }

var references = strings.NewReplacer(
	"&#", "&#", "@", "@&#8203;", "#", "#&#8203;", "GH-", "GH&#8203;-", "gh-", "gh&#8203;-")

var syntax = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "&#42;", "_", "&#95;", "`", "&#96;", "[", "&#91;", "]", "&#93;",
	"\\", "&#92;", "|", "&#124;", "~", "&#126;", "$", "&#36;", "://", "&#58;//", "www.", "www&#46;")
