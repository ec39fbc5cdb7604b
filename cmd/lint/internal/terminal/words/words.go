// Package words counts and lists what a sentence names.
package words

import (
	"fmt"
	"slices"
	"strings"
)

// Count returns a number and its noun: "2 places".
func Count(n int, noun string) string { return fmt.Sprintf("%d %s", n, Plural(n, noun)) }

// Plural returns the noun of a number.
func Plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Of returns what is written of each item.
func Of[T, U any](all []T, text func(T) U) []U {
	out := make([]U, len(all))
	for i, one := range all {
		out[i] = text(one)
	}
	return out
}

// List joins texts: "a, b and c".
func List(all []string) string {
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " and " + all[len(all)-1]
}

// First joins the first texts and counts the others: "a, b and 2 more places". A single other one is not
// counted but named, and all are if most is zero. The noun may be empty.
func First(all []string, most int, noun string) string {
	rest := len(all) - most
	if most == 0 || rest <= 1 {
		return strings.Join(all, ", ")
	}
	text := fmt.Sprintf("%s and %d more", strings.Join(all[:most], ", "), rest)
	if noun == "" {
		return text
	}
	return text + " " + Plural(rest, noun)
}

// Scenarios names the first few of several scenarios.
func Scenarios(all []string) string {
	return "the " + Plural(len(all), "scenario") + " " + First(all, 3, "")
}

// NeedHuman says that a repair makes scenarios need a human.
func NeedHuman(scenarios []string) string {
	return "mind: after this, a human is needed in " + Scenarios(scenarios) + "; today none is"
}

// Distinct returns each item once, in the order of the first.
func Distinct[T comparable](all []T) []T {
	return Of(Alike[[]T](all, func(one T) T { return one }), func(same []T) T { return same[0] })
}

// NotEmpty leaves out empty texts.
func NotEmpty(all ...string) []string {
	return slices.DeleteFunc(all, func(text string) bool { return text == "" })
}

// InCluster names a cluster, for the end of a phrase: ` in cluster "live"`; empty if it is not known.
func InCluster(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" in cluster %q", name)
}

// Once returns a word for the first of several lines, and nothing for the others.
func Once(i int, word string) string {
	if i > 0 {
		return ""
	}
	return word
}

// Alike joins items of the same key, which are said once, in the order of the first.
func Alike[G ~[]T, T any, K comparable](all []T, key func(T) K) []G {
	at := map[K]int{}
	var out []G
	for _, one := range all {
		k := key(one)
		i, seen := at[k]
		if !seen {
			i = len(out)
			at[k], out = i, append(out, nil)
		}
		out[i] = append(out[i], one)
	}
	return out
}
