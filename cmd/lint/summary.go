package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// summary says line by line what has been repaired, what has not and why.
func (f *fixer) summary(w io.Writer, fixed string) error {
	var b strings.Builder
	for _, t := range f.fixed {
		fmt.Fprintf(&b, "%s: %s\n", fixed, t)
	}
	for _, note := range f.notes {
		fmt.Fprintln(&b, note)
	}
	for _, r := range f.left() {
		fmt.Fprintf(&b, "%s: %s: %s\n", not(fixed), r.target, r.reason)
	}
	fmt.Fprintf(&b, "%s %s in %s", count(len(f.fixed), "finding"), fixed, count(len(f.files.Names()), "file"))
	if n := f.unsafeLeft(); n > 0 {
		fmt.Fprintf(&b, "; --fix=unsafe may change up to %d more", n)
	}
	_, err := fmt.Fprintln(w, b.String())
	return err
}

// left are the refusals of what is found still: other repairs may have made it
// go away.
func (f *fixer) left() []refusal {
	var found []target
	for _, j := range f.all {
		found = append(found, targetsOf(j)...)
	}
	return slices.DeleteFunc(slices.Clone(f.refused), func(r refusal) bool { return !f.asked(r.target) || !slices.ContainsFunc(found, r.is) })
}

// not negates "fixed" and "would be fixed".
func not(fixed string) string {
	if rest, ok := strings.CutPrefix(fixed, "would "); ok {
		return "would not " + rest
	}
	return "not " + fixed
}

// unsafeLeft counts the findings that only an unsafe repair makes go away.
func (f *fixer) unsafeLeft() int {
	n, unsafe := 0, f.planner
	unsafe.unsafe = true
	for _, j := range f.all {
		for _, t := range targetsOf(j) {
			if f.asked(t) && !f.wants(t) && unsafe.wants(t) {
				n++
			}
		}
	}
	return n
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// list joins names: "a, b and c".
func list(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
