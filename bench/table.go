package main

import (
	"fmt"
	"io"
	"time"
)

// result is what was measured of a work, by program, with the linter first.
type result struct {
	work
	programs []string
	costs    []cost
}

// of returns what a program took.
func (r result) of(name string) cost {
	for i, p := range r.programs {
		if p == name {
			return r.costs[i]
		}
	}
	return cost{}
}

// write writes a Markdown table of results.
func write(w io.Writer, results []result) {
	fmt.Fprintln(w, "| tree | program | CPU | wall | peak memory | CPU of flux-remedy to it | target |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, r := range results {
		for i, name := range r.programs {
			tree, ratio, wanted := "", "", ""
			if i == 0 {
				tree, wanted = r.name, r.own()
			} else {
				ratio, wanted = fmt.Sprintf("%.2f", r.ratio(name)), r.against(name)
			}
			c := r.costs[i]
			fmt.Fprintf(w, "| %s | %s | %s | %s | %d MiB | %s | %s |\n", tree, name, short(c.cpu), short(c.wall), c.peak/mebi, ratio, wanted)
		}
	}
}

// ratio returns the linter's CPU time as a part of a program's.
func (r result) ratio(name string) float64 { return float64(r.costs[0].cpu) / float64(r.of(name).cpu) }

// own says what is wanted of the linter itself, and whether it is missed.
func (r result) own() string {
	c, out := r.costs[0], ""
	add := func(missed bool, what, value string) {
		if value != "" && out != "" {
			out += ", "
		}
		out += verdict(missed, what, value)
	}
	if r.cpu > 0 {
		add(c.cpu > r.cpu, "CPU", short(r.cpu))
	}
	if r.wall > 0 {
		add(c.wall > r.wall, "wall", short(r.wall))
	}
	if r.peak > 0 {
		add(c.peak > r.peak, "peak", fmt.Sprintf("%d MiB", r.peak/mebi))
	}
	return out
}

// against says what is wanted of the linter's ratio to a program.
func (r result) against(name string) string {
	if name != r.target.of {
		return ""
	}
	return verdict(r.ratio(name) > r.target.ratio, "ratio", fmt.Sprintf("%.2f", r.target.ratio))
}

func verdict(missed bool, what, value string) string {
	if missed {
		return what + " " + value + ": **missed**"
	}
	return what + " " + value + ": met"
}

// short returns a duration in milliseconds, or in seconds if it is long.
func short(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
