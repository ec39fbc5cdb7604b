package judge

import (
	"path"
	"path/filepath"
	"slices"

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
//   - those that are left of its rule's fault in the same object, repaired in part;
//   - if its file is gone, those that would be of it in the one file that can have come in its place:
//     a folder or, where the entry names its object, a file was renamed.
func (b *Baseline) matches(run *Run, engine *rules.Engine) map[report.Known][]match {
	dir := filepath.Dir(b.file)
	about, known := bySubject(run.found(dir)), map[identity]bool{}
	out := map[report.Known][]match{}
	for _, k := range b.Findings {
		for _, f := range about[subject(k)] {
			if is, covered := compare(k, f, engine); is {
				out[k], known[f.identity] = append(out[k], match{f, covered}), true
			}
		}
	}
	for _, k := range b.Findings {
		if len(out[k]) == 0 && k.File != "" && run.lacks(filepath.Join(dir, filepath.FromSlash(k.File))) {
			out[k] = moved(k, about[subject(k)], known, engine)
		}
	}
	return out
}

// compare reports whether an entry is of a finding, and whether that is no worse than what
// the entry knows.
func compare(k report.Known, f found, engine *rules.Engine) (is, covered bool) {
	at := func(e report.Known) bool {
		e.Rule = k.Rule
		return e == k.Identity()
	}
	switch {
	case (at(f.cause) || at(f.release)) && slices.Contains(engine.Names(f.Rule), k.Rule):
		return true, k.Covers(f.Severity, f.Degree)
	case leftOf(k, f, engine):
		return true, k.Severity == "" || k.Severity.AtLeast(f.Severity)
	}
	return false, false
}

// leftOf reports whether a finding is what is left of the fault that an entry knows: in the
// same object, or in the release that the entry is of.
func leftOf(k report.Known, f found, engine *rules.Engine) bool {
	near := func(at report.Known) bool {
		return at.File == k.File && at.Cluster == k.Cluster && subject(at) == subject(k)
	}
	return (near(f.cause) || near(f.own) || near(f.release)) &&
		slices.ContainsFunc(engine.Named(k.Rule), func(was rules.Rule) bool {
			return slices.Contains(was.Leaves, f.Rule) && (was.ID != f.Rule || f.cause.Field != k.Field)
		})
}

// moved returns the findings of an entry whose file is gone: those in the one file that has
// most of its path in common, from the end, and that no entry is of.
func moved(k report.Known, near []found, known map[identity]bool, engine *rules.Engine) []match {
	in := map[string][]match{}
	for _, f := range near {
		for _, file := range f.files() {
			if is, covered := compare(k, f.renamed(file, k.File), engine); is && !known[f.identity] {
				in[file] = append(in[file], match{f, covered})
			}
		}
	}
	var best []match
	most, others := -1, 0
	for file, all := range in {
		switch n := sameEnd(k.File, file); {
		case n == 0 && subject(k) == "":
		case n > most:
			best, most, others = all, n, 0
		case n == most:
			others++
		}
	}
	if others > 0 {
		return nil
	}
	return best
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

// lacks reports whether a file is not there where the run has read.
func (run *Run) lacks(name string) bool {
	within := false
	for _, in := range run.Inputs {
		at, ok := in.Files.Path(name)
		if ok && in.Files.File(at) != nil {
			return false
		}
		within = within || ok
	}
	return within
}

// subject returns what an entry names beside its file: an object, or a release.
func subject(k report.Known) string { return k.Object() + k.Release }

// bySubject returns findings by the subjects of the entries that they may have.
func bySubject(all []found) map[string][]found {
	out := map[string][]found{}
	for _, f := range all {
		subjects := []string{subject(f.cause), subject(f.own), subject(f.release)}
		slices.Sort(subjects)
		for _, s := range slices.Compact(subjects) {
			out[s] = append(out[s], f)
		}
	}
	return out
}

// files lists the files that entries of a finding may name.
func (f found) files() []string {
	files := []string{f.cause.File, f.own.File, f.release.File}
	slices.Sort(files)
	return slices.DeleteFunc(slices.Compact(files), func(file string) bool { return file == "" })
}

// renamed returns a finding as if one of its files had another name.
func (f found) renamed(from, to string) found {
	for _, k := range []*report.Known{&f.cause, &f.own, &f.release} {
		if k.File == from {
			k.File = to
		}
	}
	return f
}
