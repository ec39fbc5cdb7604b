package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/bench/trees"
)

// TestMain lets the test be the launcher, and a program that is measured: "fake FILE
// NAME CODE" adds its name to a file and ends with a code.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == launch {
		main()
		os.Exit(0)
	}
	if len(os.Args) > 4 && os.Args[1] == "fake" {
		os.Exit(fake(os.Args[2], os.Args[3], os.Args[4]))
	}
	os.Exit(m.Run())
}

func fake(file, name, code string) int {
	fmt.Println(strings.Repeat("x", 1<<20)) // more than a pipe holds
	fmt.Fprintln(os.Stderr, "what", name, "says")
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = io.WriteString(out, name)
	}
	if err != nil {
		return 9
	}
	return len(code)
}

func fakeProgram(t *testing.T, name, code string) program {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program{name, func(tree string) []string { return []string{self, "fake", tree, name, code} }, []int{0, 1}}
}

// Programs run in turn, and findings are no failure, but other exit codes are.
func TestRounds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "order")
	costs, err := rounds([]program{fakeProgram(t, "A", ""), fakeProgram(t, "B", "x")}, file, 3)
	if err != nil {
		t.Fatal(err)
	}
	if order, _ := os.ReadFile(file); string(order) != "ABABAB" {
		t.Errorf("programs ran as %s", order)
	}
	for _, of := range costs {
		if s := summary(of); len(of) != 3 || s.cpu <= 0 || s.wall <= 0 || s.peak < mebi {
			t.Errorf("costs %v", of)
		}
	}
	_, err = rounds([]program{fakeProgram(t, "C", "xxx")}, file, 1)
	if err == nil || !strings.Contains(err.Error(), "exit code 3: what C says") {
		t.Errorf("error %v", err)
	}
}

// What bench itself holds in memory does not count.
func TestPeakIsOfTheProgram(t *testing.T) {
	held := bytes.Repeat([]byte("x"), 300*mebi)
	c, err := fakeProgram(t, "A", "").run(filepath.Join(t.TempDir(), "order"))
	if err != nil || c.peak < mebi || c.peak > int64(len(held)/2) {
		t.Errorf("peak %d MiB; %v", c.peak/mebi, err)
	}
	runtime.KeepAlive(held)
}

// A program that is not there is an error that names it.
func TestNoProgram(t *testing.T) {
	missing := program{"gone", func(string) []string { return []string{"/nowhere/gone"} }, []int{0}}
	if _, err := missing.run("tree"); err == nil || !strings.Contains(err.Error(), "gone on tree: exit status 2: bench: fork/exec /nowhere/gone") {
		t.Errorf("error %v", err)
	}
}

func TestMedian(t *testing.T) {
	if got := median([]time.Duration{9, 1, 3}); got != 3 {
		t.Error(got)
	}
	if got := median([]time.Duration{9, 1, 3, 5}); got != 4 {
		t.Error(got)
	}
}

// A target that is missed is said to be.
func TestTable(t *testing.T) {
	second := time.Second
	results := []result{
		{
			work:     work{name: "some", target: target{of: "other", ratio: 0.35, wall: second, peak: 64 * mebi}},
			programs: []string{linter, "other", "third"},
			costs:    []cost{{second / 2, 2 * second, 63 * mebi}, {second, second, mebi}, {20 * second, second, mebi}},
		},
		{work: work{name: "tree"}, programs: []string{linter, library}, costs: []cost{{second, second, mebi}, {4 * second, second, mebi}}},
	}
	var out bytes.Buffer
	write(&out, results)
	want := `| tree | program | CPU | wall | peak memory | CPU of flux-remedy to it | target |
|---|---|---|---|---|---|---|
| some | flux-remedy lint | 500 ms | 2000 ms | 63 MiB |  | wall 1000 ms: **missed**, peak 64 MiB: met |
|  | other | 1000 ms | 1000 ms | 1 MiB | 0.50 | ratio 0.35: **missed** |
|  | third | 20.0 s | 1000 ms | 1 MiB | 0.03 |  |
| tree | flux-remedy lint | 1000 ms | 1000 ms | 1 MiB |  |  |
|  | Flux's library | 4000 ms | 1000 ms | 1 MiB | 0.25 |  |
`
	if out.String() != want {
		t.Errorf("got\n%s", out.String())
	}
}

// The linter judges what the trees hold, and knows all of it.
func TestTreesAreJudged(t *testing.T) {
	remedy := filepath.Join(t.TempDir(), "flux-remedy")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags", "-s -w", "-o", remedy, "./cmd/lint")
	build.Dir, build.Env = "..", append(os.Environ(), "CGO_ENABLED=0") // with which Go's own linker is enough
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, c := range []struct {
		tree trees.Tree
		want counts
	}{
		{trees.Plain(1, 100, 10, 9), counts{Releases: 100, Judged: 100, Errors: 30}}, // as the policy of conftest
		{trees.Apart(1, 100, 9), counts{Releases: 100, Judged: 100, Errors: 86}},
		{trees.Fleet(1, 2), counts{Releases: 100, Judged: 100, Errors: 3}},
	} {
		dir := t.TempDir()
		if err := c.tree.Write(dir); err != nil {
			t.Fatal(err)
		}
		text, err := exec.CommandContext(t.Context(), remedy, "lint", "-o", "json", dir).Output()
		var report struct{ Summary counts }
		if err := json.Unmarshal(text, &report); err != nil {
			t.Fatal(err)
		}
		if report.Summary != c.want {
			t.Errorf("%+v, want %+v; %v", report.Summary, c.want, err)
		}
	}
}

// counts are a part of the summary of a report.
type counts struct{ Releases, Judged, Undetermined, Unapplied, Problems, Errors int }

// Every work names programs that there are.
func TestWorks(t *testing.T) {
	all := programs("bin", "policy")
	for _, w := range append(works(1), given("tree")) {
		for _, name := range append(w.against, linter) {
			if all[name].command == nil {
				t.Errorf("%s: there is no %s", w.name, name)
			}
		}
	}
}
