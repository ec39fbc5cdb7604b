package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// mutant is a registration without one condition, clause, selector, value or operation.
type mutant struct {
	name, tier   string
	registration *unstructured.Unstructured
}

// mutantsOf reads what there is to take away from the registration itself, but for conditions and
// selectors that were seen before: webhooks share them.
func mutantsOf(made *unstructured.Unstructured, seen map[string]bool) (all []mutant) {
	webhooks, _, _ := unstructured.NestedSlice(made.Object, "webhooks")
	for i, webhook := range webhooks {
		tier, _, _ := strings.Cut(webhook.(map[string]any)["name"].(string), ".")
		add := func(name string, change func(webhook map[string]any)) {
			copied := made.DeepCopy()
			list, _, _ := unstructured.NestedSlice(copied.Object, "webhooks")
			change(list[i].(map[string]any))
			_ = unstructured.SetNestedSlice(copied.Object, list, "webhooks")
			all = append(all, mutant{name, tier, copied})
		}
		conditions, _, _ := unstructured.NestedSlice(webhook.(map[string]any), "matchConditions")
		for n, c := range conditions {
			condition := c.(map[string]any)
			if seen[fmt.Sprint(condition)] {
				continue
			}
			seen[fmt.Sprint(condition)] = true
			add(fmt.Sprint("without ", condition["name"]), func(w map[string]any) { removeAt(w, n, "matchConditions") })
			for _, clause := range without(condition["expression"].(string)) {
				add(fmt.Sprintf("%s without %s", condition["name"], clause[0]), func(w map[string]any) {
					w["matchConditions"].([]any)[n].(map[string]any)["expression"] = clause[1]
				})
			}
		}
		expressions, _, _ := unstructured.NestedSlice(webhook.(map[string]any), "namespaceSelector", "matchExpressions")
		if seen[fmt.Sprint(tier, expressions)] {
			continue
		}
		seen[fmt.Sprint(tier, expressions)] = true
		for n, e := range expressions {
			expression := e.(map[string]any)
			add(fmt.Sprintf("%s: without %v", tier, expression), func(w map[string]any) { removeAt(w["namespaceSelector"], n, "matchExpressions") })
			values, _, _ := unstructured.NestedSlice(expression, "values")
			for at := range values {
				if len(values) > 1 { // or else the API server refuses it
					add(fmt.Sprintf("%s: %v without %v", tier, expression, values[at]), func(w map[string]any) {
						removeAt(w["namespaceSelector"].(map[string]any)["matchExpressions"].([]any)[n], at, "values")
					})
				}
			}
		}
		for at, operation := range []string{"CREATE", "UPDATE"} {
			add(fmt.Sprintf("%s: without %s", tier, operation), func(w map[string]any) { removeAt(w["rules"].([]any)[0], at, "operations") })
		}
	}
	return all
}

// removeAt removes an item of a list.
func removeAt(from any, at int, field string) {
	list := from.(map[string]any)[field].([]any)
	from.(map[string]any)[field] = slices.Delete(slices.Clone(list), at, at+1)
}

// without returns a CEL expression without each of its operands of || and &&: each operand, and what
// is left.
func without(expression string) (out [][2]string) {
	for _, operator := range []string{" || ", " && "} {
		operands := splitOutside(expression, operator)
		if len(operands) == 1 {
			continue
		}
		for i, operand := range operands {
			with := func(inner ...string) string {
				return strings.Join(slices.Concat(operands[:i], inner, operands[i+1:]), operator)
			}
			out = append(out, [2]string{operand, with()})
			for _, inner := range without(operand) {
				out = append(out, [2]string{inner[0], with(inner[1])})
			}
		}
		return out
	}
	for from, to := range groups(expression) {
		for _, inner := range without(expression[from:to]) {
			out = append(out, [2]string{inner[0], expression[:from] + inner[1] + expression[to:]})
		}
	}
	return out
}

// splitOutside splits a text where an operator is outside of parentheses.
func splitOutside(text, operator string) (parts []string) {
	depth, from := 0, 0
	for i := range len(text) {
		switch {
		case text[i] == '(':
			depth++
		case text[i] == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], operator):
			parts = append(parts, text[from:i])
			from = i + len(operator)
		}
	}
	return append(parts, text[from:])
}

// groups yields where the texts in outer parentheses begin and end, without the variable of a macro.
func groups(text string) func(yield func(from, to int) bool) {
	return func(yield func(from, to int) bool) {
		depth, from := 0, 0
		for i := range len(text) {
			switch text[i] {
			case '(':
				if depth++; depth == 1 {
					from = i + 1
				}
			case ')':
				if depth--; depth > 0 {
					continue
				}
				if variable, _, ok := strings.Cut(text[from:i], ", "); ok && !strings.ContainsAny(variable, " (") {
					from += len(variable) + len(", ")
				}
				if !yield(from, i) {
					return
				}
			}
		}
	}
}

// TestWithout: each operand is taken away once, at any depth.
func TestWithout(t *testing.T) {
	want := [][2]string{
		{"a", "b.exists(k, c && (d || !(k in e))) || f && g"},
		{"b.exists(k, c && (d || !(k in e)))", "a || f && g"},
		{"c", "a || b.exists(k, (d || !(k in e))) || f && g"},
		{"(d || !(k in e))", "a || b.exists(k, c) || f && g"},
		{"d", "a || b.exists(k, c && (!(k in e))) || f && g"},
		{"!(k in e)", "a || b.exists(k, c && (d)) || f && g"},
		{"f && g", "a || b.exists(k, c && (d || !(k in e)))"},
		{"f", "a || b.exists(k, c && (d || !(k in e))) || g"},
		{"g", "a || b.exists(k, c && (d || !(k in e))) || f"},
	}
	if got := without("a || b.exists(k, c && (d || !(k in e))) || f && g"); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestEachConditionCounts: without any one of its conditions, clauses, selectors, values and
// operations, the registration breaks what TestNeverBlocked holds it to.
func TestEachConditionCounts(t *testing.T) {
	c := needCluster(t)
	all := recordAsked(t, c)
	needCore(t, c)
	seen := map[string]bool{}
	for _, overlay := range []string{"fail-closed-apps", "production-cluster", "staging-cluster"} { // these change something
		made := registrationOf(build(t, overlay))
		mutants := mutantsOf(made, seen)
		law := &inspection{c: c, recorder: all, promise: promiseOf(overlay, made)}
		scenes := make([]*scene, len(mutants))
		for n, m := range mutants {
			scenes[n] = newScene(t, c, m.tier)
		}
		for n, m := range mutants {
			t.Run(overlay+"/"+m.name, func(t *testing.T) {
				law.register(t, m.registration, 30)
				if wrong := law.broken(scenes[n], "denied"); len(wrong) == 0 {
					t.Error("nothing notices")
				} else {
					t.Log(wrong[0])
				}
			})
		}
	}
}
