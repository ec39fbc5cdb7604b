package hack

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostInCircle is how many files of a package may form a circle: each needs the others to be understood.
const mostInCircle = 8

// TestCircles checks that the files of a package know each other one way, as CONTRIBUTING.md says.
func TestCircles(t *testing.T) {
	for _, dir := range list(t, "-f", "{{.Dir}}", "./...") {
		if circle := largestCircle(t, dir); len(circle) > mostInCircle {
			t.Errorf("%s: a circle of %d files, at most %d may be: %v", dir, len(circle), mostInCircle, circle)
		}
	}
}

// largestCircle returns the files of a package, without tests, that need each other over any number of steps.
func largestCircle(t *testing.T, dir string) (largest []string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	set, files := token.NewFileSet(), []*ast.File{}
	for _, name := range slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") }) {
		file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	checker := types.Config{Importer: none{}, Error: func(error) {}}
	own, _ := checker.Check("p", set, files, info) // what is imported is not known
	needs := map[string]map[string]bool{}
	for name, of := range info.Uses {
		variable, _ := of.(*types.Var)
		if of.Pkg() != own || of.Parent() != nil && of.Parent() != own.Scope() || variable != nil && variable.IsField() {
			continue
		}
		from, to := filepath.Base(set.Position(name.Pos()).Filename), filepath.Base(set.Position(of.Pos()).Filename)
		if needs[from] == nil {
			needs[from] = map[string]bool{}
		}
		needs[from][to] = true
	}
	reached := map[string]map[string]bool{}
	for file := range needs {
		reached[file] = map[string]bool{}
		reach(needs, file, reached[file])
	}
	for file := range needs {
		circle := slices.DeleteFunc(slices.Sorted(maps.Keys(reached[file])), func(other string) bool { return !reached[other][file] })
		if len(circle) > len(largest) {
			largest = circle
		}
	}
	return largest
}

func reach(needs map[string]map[string]bool, from string, seen map[string]bool) {
	for to := range needs[from] {
		if !seen[to] {
			seen[to] = true
			reach(needs, to, seen)
		}
	}
}

// none imports nothing.
type none struct{}

func (none) Import(string) (*types.Package, error) { return nil, errors.New("not imported") }
