package rules

import (
	"slices"
	"strings"

	"github.com/open-policy-agent/opa/v1/ast"
	"github.com/open-policy-agent/opa/v1/types"
)

// own are the rules that a user has added, by id: how much is known of what they read.
type own map[string]ownRule

// ownRule is a rule of a user. If it makes objects it may compare them with those of the
// input, which OPA does without asking these: what such a rule reads is not known.
type ownRule struct{ makesObjects bool }

// ownOf returns the rules of the modules that are not of the first source. Each of these
// modules is a rule.
func ownOf(modules []*ast.Module) own {
	out := own{}
	for _, module := range modules {
		if !strings.HasPrefix(module.Package.Location.File, "0/") {
			out[pkgName(module.Package, atID)] = ownRule{makesObjects: slices.ContainsFunc(module.Rules, makesObjects)}
		}
	}
	return out
}

// makesObjects reports whether a rule makes objects other than its findings.
func makesObjects(rule *ast.Rule) bool {
	found := false
	look := ast.NewGenericVisitor(func(x any) bool {
		switch x := x.(type) {
		case ast.Object, *ast.ObjectComprehension, *ast.With:
			found = true
		case ast.Call:
			found = found || givesObject(x[0])
		case *ast.Expr:
			found = found || x.IsCall() && givesObject(x.OperatorTerm())
		case *ast.Rule: // what follows else
			found = found || makesObjects(x)
			return true
		}
		return found
	})
	if rule.Head.Ref().String() != "report" {
		look.Walk(rule.Head)
	}
	look.Walk(rule.Body)
	if rule.Else != nil {
		look.Walk(rule.Else)
	}
	return found
}

// partsOf are builtins that return a part of what they are given.
var partsOf = []string{"object.get", "max", "min"}

// givesObject reports whether a builtin returns an object that it makes.
func givesObject(operator *ast.Term) bool {
	name := operator.Value.String()
	builtin := ast.BuiltinMap[name]
	if builtin == nil || slices.Contains(partsOf, name) {
		return false
	}
	switch builtin.Decl.Result().(type) {
	case *types.Object, types.Any:
		return true
	}
	return false
}
