package document

import (
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/cmd/lint/internal/terminal/plain"
)

// Escape keeps text from being read as anything but text.
func Escape(text string) string { return plain.Markdown(text) }

// Code writes text as it is, in HTML since a title of [Fold] is HTML; nothing if it is empty.
func Code(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + plain.MarkdownCode(text) + "</code>"
}

// Table writes a row for each of all, after an empty line; nothing if there are none.
func Table[T any](columns []string, all []T, cells func(T) []string) string {
	text := ""
	for _, one := range all {
		text += Row(cells(one)...)
	}
	if text == "" {
		return ""
	}
	return Head(columns...) + text
}

// Head begins a table, after an empty line.
func Head(columns ...string) string {
	return "\n" + Row(columns...) + Row(slices.Repeat([]string{"---"}, len(columns))...)
}

// Row writes a row of a table.
func Row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

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
