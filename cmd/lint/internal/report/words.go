package report

import (
	"fmt"
)

func count(n int, noun string) string { return fmt.Sprintf("%d %s", n, plural(n, noun)) }

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// waived counts waived findings, for the end of a sentence.
func waived(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d waived", n)
}

// notSelected counts the findings of rules that are left out, for the end of a sentence.
func notSelected(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(", %d not selected", n)
}

// problems counts what could not be read, for the end of a sentence.
func problems(n int) string {
	if n == 0 {
		return ""
	}
	return ", " + count(n, "problem")
}

func inBrackets(text string) string {
	if text == "" {
		return ""
	}
	return " (" + text + ")"
}
