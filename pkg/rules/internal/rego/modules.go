package rego

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
)

// Indexes into the path of a rule's package, data.remedy.rules.<category>.<id>.
const (
	atCategory = 3
	atID       = 4
)

const packageOfRule = `remedy.rules.<category>["<name>"]`

// parseModules reads every .rego file of the sources but tests. A source without
// any is an error.
func parseModules(sources []fs.FS) ([]*ast.Module, error) {
	var all []*ast.Module
	taken := map[string]bool{} // packages of the sources before
	for i, source := range sources {
		own, err := parseSource(i, source, taken)
		if err != nil {
			return nil, fmt.Errorf("read policies: %w", err)
		}
		if len(own) == 0 {
			return nil, fmt.Errorf("read policies: source %d holds no .rego file of a rule", i)
		}
		all = append(all, own...)
		for _, module := range own {
			taken[module.Package.Path.String()] = true
		}
	}
	return all, nil
}

func parseSource(number int, source fs.FS, taken map[string]bool) (modules []*ast.Module, err error) {
	err = fs.WalkDir(source, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !isPolicy(name) {
			return err
		}
		data, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		// The number keeps equal names of two sources apart.
		module, err := ast.ParseModuleWithOpts(fmt.Sprintf("%d/%s", number, name), string(data),
			ast.ParserOptions{ProcessAnnotation: true, RegoVersion: ast.RegoV1})
		if err != nil {
			return err
		}
		modules = append(modules, module)
		if number == 0 {
			return nil
		}
		return checkAdded(module, taken)
	})
	return modules, err
}

// checkAdded refuses a module of a later source that is of another rule's package, and
// one that would load but never report: it is outside of a rule's package, or has no set
// named report.
func checkAdded(module *ast.Module, taken map[string]bool) error {
	pkg := strings.TrimPrefix(module.Package.Path.String(), "data.")
	wrong := func(format string, args ...any) error {
		return &PackageError{Origin: OriginOf(module.Package.Location), file: module.Package.Location.File, Err: fmt.Errorf("package "+format, args...)}
	}
	switch {
	case taken[module.Package.Path.String()]:
		return wrong("%s: another rule has this name: choose one that \"flux-remedy rules\" does not list", pkg)
	case pkgName(module.Package, 1) == "rules":
		return wrong("%s: it starts with remedy now: rename it to remedy.%s, and data.lib in its imports to data.remedy.lib", pkg, pkg)
	case !isRule(module.Package) || len(module.Package.Path) != atID+1:
		return wrong("%s: a rule's package is %s", pkg, packageOfRule)
	case !slices.ContainsFunc(module.Rules, func(r *ast.Rule) bool { return r.Head.Ref().String() == "report" }):
		return wrong("%s has no set named report, so it would never report anything", pkg)
	}
	return nil
}

// annotated reads the METADATA of the modules: the entrypoint, and what is said of the
// rules, sorted by category and id.
func annotated(modules []*ast.Module) (entrypoint string, rules []Description, err error) {
	set, errs := ast.BuildAnnotationSet(modules)
	if len(errs) > 0 {
		return "", nil, errs
	}
	if entrypoint, err = entrypointOf(set); err != nil {
		return "", nil, err
	}
	for _, module := range modules {
		if !isRule(module.Package) {
			continue
		}
		rule, err := describe(module.Package, set.GetPackageScope(module.Package))
		if err != nil {
			return "", nil, err
		}
		rules = append(rules, rule)
	}
	slices.SortFunc(rules, func(a, b Description) int {
		return strings.Compare(a.Category+"/"+a.ID, b.Category+"/"+b.ID)
	})
	return entrypoint, rules, nil
}

// entrypointOf finds the one rule with "entrypoint: true" in its METADATA.
func entrypointOf(set *ast.AnnotationSet) (string, error) {
	var found []string
	for _, ref := range set.Flatten() {
		if ref.Annotations.Entrypoint {
			found = append(found, ref.Path.String())
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("the policies have %d entrypoints, want one: %s", len(found), strings.Join(found, ", "))
	}
	return found[0], nil
}

func isRule(pkg *ast.Package) bool {
	return pkgName(pkg, 1) == "remedy" && pkgName(pkg, 2) == "rules"
}

// pkgName returns the name at an index of the package's path, where data is 0; empty
// beyond its end.
func pkgName(pkg *ast.Package, at int) string {
	if at >= len(pkg.Path) {
		return ""
	}
	name, _ := pkg.Path[at].Value.(ast.String)
	return string(name)
}
