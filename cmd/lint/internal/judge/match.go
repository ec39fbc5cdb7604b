package judge

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/flux-remedy/remedy/cmd/lint/internal/effective"
	"github.com/flux-remedy/remedy/cmd/lint/internal/report"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// match is a finding that an entry of a baseline is of.
type match struct {
	found
	covered bool // it is no worse than what the entry knows
}

// matches returns for each entry the findings that it is of:
//
//   - those of its rule, under whatever name, that the same field makes, or of its release;
//   - those that the same field makes in another file, if that of the entry is gone and only one
//     other can have come in its place: a folder or, where the field names its object, a file was
//     renamed;
//   - those of the same object that are left of its rule's fault, repaired in part.
func (b *Baseline) matches(run *Run, engine *rules.Engine) map[report.Known][]match {
	all := run.found(filepath.Dir(b.file))
	direct, taken := index(all, engine), map[report.Known]bool{}
	for _, k := range b.Findings {
		taken[k.Identity()] = true
	}
	out := map[report.Known][]match{}
	for _, k := range b.Findings {
		of := direct[k.Identity()]
		if len(of) == 0 && k.Field != "" && !run.has(filepath.Join(filepath.Dir(b.file), filepath.FromSlash(k.File))) {
			of = moved(k, direct, taken)
		}
		for _, f := range of {
			out[k] = append(out[k], match{f, k.Covers(f.Severity, f.Degree)})
		}
		for _, f := range all {
			if leftOf(k, f, engine) {
				out[k] = append(out[k], match{f, k.Severity == "" || k.Severity.AtLeast(f.Severity)})
			}
		}
	}
	return out
}

// moved returns the findings of an entry whose file is gone: those of the one file that has
// most of its path in common, from the end, and that no entry names.
func moved(k report.Known, direct map[report.Known][]found, taken map[report.Known]bool) []found {
	var best []report.Known
	most := -1
	for to := range direct {
		as := to
		as.File = k.File
		if as != k.Identity() || taken[to] {
			continue
		}
		switch n := sameEnd(k.File, to.File); {
		case n == 0 && k.Object() == "":
		case n > most:
			best, most = []report.Known{to}, n
		case n == most:
			best = append(best, to)
		}
	}
	if len(best) != 1 {
		return nil
	}
	return direct[best[0]]
}

// sameEnd counts the last steps that two paths have in common.
func sameEnd(a, b string) int {
	n := 0
	for path.Base(a) == path.Base(b) && a != "." && a != "/" {
		a, b, n = path.Dir(a), path.Dir(b), n+1
		if a == "." || b == "." {
			break
		}
	}
	return n
}

// leftOf reports whether a finding is what is left of the fault that an entry knows: in the
// same object, or in the release that the entry's field is of.
func leftOf(k report.Known, f found, engine *rules.Engine) bool {
	near := func(at report.Known) bool { return at.File == k.File && at.Object() == k.Object() }
	return k.Field != "" && (near(f.cause) || near(f.own)) &&
		slices.ContainsFunc(engine.Named(k.Rule), func(was rules.Rule) bool {
			return slices.Contains(was.Leaves, f.Rule) && (was.ID != f.Rule || f.cause.Field != k.Field)
		})
}

// has reports whether a file is among what was read.
func (run *Run) has(name string) bool {
	return slices.ContainsFunc(run.Inputs, func(in effective.Input) bool {
		at, ok := in.Files.Path(name)
		return ok && in.Files.File(at) != nil
	})
}

// index returns findings by the entries that they may have, under each name of their rules.
func index(all []found, engine *rules.Engine) map[report.Known][]found {
	out := map[report.Known][]found{}
	for _, f := range all {
		for _, name := range engine.Names(f.Rule) {
			for _, k := range []report.Known{f.cause, f.release} {
				k.Rule = name
				out[k] = append(out[k], f)
			}
		}
	}
	return out
}
