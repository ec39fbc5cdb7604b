package document

import (
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Escape keeps text from being read as anything but text.
func Escape(text string) string { return plain.Markdown(text) }

// Code writes text as it is, in HTML since a title of [Fold] is HTML.
func Code(text string) string { return "<code>" + plain.MarkdownCode(text) + "</code>" }

// Fold writes a part that is closed at first. The title is HTML for GitHub, so its marks are
// turned into tags.
func Fold(title, body string) string {
	title = strings.Replace(strings.Replace(title, "**", "<b>", 1), "**", "</b>", 1)
	return "<details><summary>" + title + "</summary>\n\n" + strings.TrimSuffix(body, "\n") + "\n\n</details>\n"
}

// Block writes lines of a language.
func Block(language string, lines ...string) string {
	return "```" + language + "\n" + strings.ReplaceAll(strings.Join(lines, "\n"), "```", "` ` `") + "\n```\n"
}

// List writes items, after an empty line; nothing if there are none.
func List(items []string) string {
	text := ""
	for _, item := range items {
		text += "\n- " + Escape(item)
	}
	if text != "" {
		text = "\n" + text[1:] + "\n"
	}
	return text
}
