// Command compare prints, as a table in Markdown, which runs of two recordings of helm-controller differ:
//
//	go -C hack run ./flux/compare ../testdata/forecast/1.4.0/runs.txt ../testdata/forecast/1.6.4/runs.txt
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "compare: want two recordings")
		os.Exit(2)
	}
	if err := compare(os.Stdout, os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// aspects are the columns of a recording that runs are compared by, after configuration, scenario and
// spec: see testdata/forecast/README.md.
var aspects = []string{"actions", "end", "history", "storage", "conditions", "failures"}

// compare writes a row for each aspect of each run that is in both and differs.
func compare(w io.Writer, oldFile, newFile string) error {
	before, err := read(oldFile)
	if err != nil {
		return err
	}
	after, err := read(newFile)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "| scenario | configuration | | %s | %s |\n|---|---|---|---|---|\n", version(oldFile), version(newFile))
	both, differ := 0, 0
	for _, run := range slices.SortedFunc(maps.Keys(before), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		other, found := after[run]
		if !found {
			continue
		}
		both++
		if !slices.Equal(before[run], other) {
			differ++
		}
		for i, aspect := range aspects {
			if before[run][i] != other[i] {
				fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", run[0], run[1], aspect, before[run][i], other[i])
			}
		}
	}
	_, err = fmt.Fprintf(w, "\n%d of %d runs differ.\n", differ, both)
	return err
}

// read returns the aspects of each run by scenario and configuration.
func read(file string) (map[[2]string][]string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	out := map[[2]string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3+len(aspects) {
			return nil, fmt.Errorf("%s: %d fields in %q", file, len(fields), line)
		}
		out[[2]string{fields[1], fields[0]}] = fields[3:]
	}
	return out, nil
}

func version(file string) string { return filepath.Base(filepath.Dir(file)) }
