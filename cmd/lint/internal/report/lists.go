package report

import (
	"cmp"
	"fmt"
	"slices"
)

// some is how many releases or places of a change a line names.
const some = 3

// mostNames is how many releases or places a line names.
const mostNames = 4

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}

// kept returns the items that are to be kept, as a list of its own.
func kept[T any](list []T, keep func(T) bool) []T {
	out := make([]T, 0, len(list))
	for _, item := range list {
		if keep(item) {
			out = append(out, item)
		}
	}
	return out
}

// count counts the items of which something is true.
func count[T any](list []T, is func(T) bool) (n int) {
	for _, item := range list {
		if is(item) {
			n++
		}
	}
	return n
}

func union[T cmp.Ordered](a, b []T) []T {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// place names a place in a file as tools do: file:line:column.
func place(file string, line, column int) string {
	switch {
	case line == 0:
		return file
	case column == 0:
		return fmt.Sprintf("%s:%d", file, line)
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func nonEmpty(line string) []string {
	if line == "" {
		return nil
	}
	return []string{line}
}

// distinct returns each text once, but for empty ones.
func distinct(all []string) []string {
	var out []string
	for _, text := range all {
		if text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
