package resource

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	fluxkustomize "github.com/fluxcd/pkg/kustomize"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resource"

	"github.com/flux-remedy/remedy/cmd/lint/internal/build/variables"
	"github.com/flux-remedy/remedy/cmd/lint/internal/object"
)

func resourceWith(t testing.TB, text string) *resource.Resource {
	t.Helper()
	res, err := provider.NewDefaultDepProvider().GetResourceFactory().FromMap(map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": "x"},
		"spec":     map[string]any{"timeout": text, "interval": "1h"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// variablesOf returns variables with values, and those of references.
func variablesOf(values map[string]any, references ...variables.Reference) *variables.Variables {
	v := variables.Of(map[string]any{"spec": map[string]any{"postBuild": map[string]any{"substitute": values, "substituteStrategy": "Always"}}}, references)
	return &v
}

// encrypted returns a Secret that holds a variable, and hides it.
func encrypted(name string) variables.Reference {
	return variables.Reference{Kind: "Secret", Object: map[string]any{"kind": "Secret", "sops": map[string]any{}, "data": map[string]any{name: "ENC[]"}}}
}

func TestSubstitute(t *testing.T) {
	v := variablesOf(map[string]any{"KNOWN": "10m", "EMPTY": "", "NUMBER": "3"}, encrypted("SECRET"))
	for text, want := range map[string]any{
		"plain":                 "plain",
		"${KNOWN}":              "10m",
		"${KNOWN/m/s}":          "10s",
		"${NUMBER}":             float64(3),
		"${EMPTY:=5m}":          "5m",
		"${MISSING:=5m}":        "5m",
		"${MISSING:-5m}":        "5m",
		"$${KNOWN}":             "${KNOWN}",
		"${SECRET}":             "flux-remedy-unknown.SECRET.",
		"a ${SECRET} b":         "a flux-remedy-unknown.SECRET. b",
		"${SECRET:=5m}":         "flux-remedy-unknown.SECRET.",
		"${SECRET/flux/x}":      "flux-remedy-unknown.SECRET.",
		"${SECRET^^}":           "flux-remedy-unknown.SECRET.",
		"${#SECRET}":            "flux-remedy-unknown.SECRET.",
		"${MISSING}":            "flux-remedy-unknown.MISSING.",
		"${MISSING:=${SECRET}}": "flux-remedy-unknown.SECRET.",
	} {
		obj, _, err := New(resourceWith(t, text)).Substitute(v)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if got := object.At(obj, "spec", "timeout"); got != want {
			t.Errorf("%s becomes %v, want %v", text, got, want)
		}
		if got := object.At(obj, "spec", "interval"); got != "1h" {
			t.Errorf("%s changes another field to %v", text, got)
		}
	}
}

func TestSubstituteOpen(t *testing.T) {
	v := variablesOf(nil, variables.Reference{Kind: "Secret", Namespace: "flux-system", Name: "vars", Missing: "is not in the tree"})
	obj, reasons, err := New(resourceWith(t, "${A:=5m}")).Substitute(v)
	if err != nil || object.At(obj, "spec", "timeout") != "flux-remedy-unknown.A." || reasons["A"] != "Secret flux-system/vars is not in the tree" {
		t.Errorf("got %v, %v, %v", obj, reasons, err)
	}
}

// Where every variable is known the result is that of Flux's own library;
// where one is not, nothing panics and no value is passed off as known.
func FuzzSubstitute(f *testing.F) {
	f.Add("${A}", "10m")
	f.Add("${A:=x} $${A} ${A/a/b} ${A:1:2}", "yes")
	f.Add("${B:-${A}}", "0777")
	f.Add("${", "${A}")
	f.Add("${A}\n---\nkind: x", ": {")
	f.Fuzz(func(t *testing.T, text, value string) {
		res := resourceWith(t, text)
		known := variablesOf(map[string]any{"A": value, "B": value})
		got, reasons, err := New(res).Substitute(known)
		if err == nil && len(reasons) == 0 {
			want, ok := library(res, known.Values)
			if ok && !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		secret := variablesOf(nil, encrypted("A"))
		obj, reasons, err := New(res).Substitute(secret)
		if err != nil || len(reasons) == 0 {
			return
		}
		data, _ := json.Marshal(obj)
		if strings.Contains(string(data), "flux-remedy-other-unknown.") {
			t.Errorf("a stand-in is left in %s", data)
		}
	})
}

func library(res *resource.Resource, vars map[string]string) (map[string]any, bool) {
	values := map[string]any{}
	for name, value := range vars {
		values[name] = value
	}
	ks := unstructured.Unstructured{Object: map[string]any{
		"spec": map[string]any{"postBuild": map[string]any{"substitute": values}},
	}}
	out, err := fluxkustomize.SubstituteVariables(context.Background(), nil, ks, res.DeepCopy(), fluxkustomize.SubstituteWithDryRun(true))
	if err != nil {
		return nil, false
	}
	obj, err := New(out).Object()
	return obj, err == nil
}

// What is substituted in values is what is substituted in the text of the whole object.
func FuzzSubstituteValues(f *testing.F) {
	for _, text := range []string{
		"${A}", "x-${A}", "${A}/${B}", "\"${A}\"", "${A}:${B}", "${A:=5m}", "${C:-}", "${C=d}", "- ${A}", "${A} # ${B}", "'${A}", "${A}, ${B}", "? ${A}", "${A}: x",
		"a very long text with spaces, longer than a line that an emitter writes: ${A} and ${B} and ${C:=default}, and so on and on", "$${A}", "$", "${",
		"a: ${A}\nb: [${B}, \"${A}\"] # ${C:-c}\n", "${A}\n\n  x ${B} ", "a\n${C:-}\nb", "a\n${C:-d}", "x\n - ${A}\n\n\n", "\"${A}\"\n# $${B}", "'\n${A}: \\${B}",
		"${U}", "./${A}/${U}", "${U:-d}: ${U}", "- ${U}", "${U}:", "a\n${U}\n", "${V} ${V:-d}", "${U}" + strings.Repeat(" ${A} ${U}", 30), variables.Marker("X") + "${U}",
		"${C:=}#a b", "a ${C:=}#b", "${C:=}#" + strings.Repeat(strings.Repeat("a", 33)+" ", 3) + "${A}",
	} {
		for _, value := range []string{"10m", "yes", "3", "1.50", "0x1f", "1e3", "", "a b", "null", "2001-01-01", "x:y", "010"} {
			f.Add(text, value)
		}
	}
	pieces := []string{"${A}", "${B}", "${U}", "${U:=d}", "${C:-d}", "${C:-}", "${C}", "\n", "\n  ", " ", "a", "- ", ": ", "#", "\"", "'", "\\", "|", "&x", "{", "/", "./", "$(A)", "$", "long words to fold a line at "}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := ""
		for range 1 + random.IntN(14) {
			text += pieces[random.IntN(len(pieces))]
		}
		f.Add(text, []string{"10m", "1.50", "yes", "https://a.b/c/", "12:30", "01"}[random.IntN(6)])
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		obj := map[string]any{
			"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"list": []any{text, "x", []any{text}, map[string]any{"a": text}}, "text": text, "z": "1"},
		}
		if !IsPlainJSON(obj) {
			return
		}
		res := &Resource{plain: obj}
		written, err := res.text()
		if err != nil {
			t.Fatal(err)
		}
		needs, err := variables.NeedsInText(string(written))
		if over := res.needs(); (over.Err != nil) != (err != nil) || !slices.Equal(over.Needs, needs) {
			t.Errorf("%q needs %v, want %v, %v", text, over, needs, err)
		}
		known := map[string]any{"A": value, "B": "b"}
		missing := variables.Reference{Kind: "Secret", Name: "vars", Missing: "is not in the tree"}
		for _, v := range []*variables.Variables{variablesOf(known, encrypted("U")), variablesOf(known, missing, encrypted("U"))} {
			got, why, ok := v.InValues(obj)
			if !ok {
				continue
			}
			if want, reasons, err := v.InText(string(written)); err != nil || !reflect.DeepEqual(got, want) || !maps.Equal(why, reasons) {
				t.Errorf("%q with %q: got %v for %v, want %v for %v, %v", text, value, got, why, want, reasons, err)
			}
		}
	})
}

// A label or an annotation turns substitution off.
// Source: SubstituteVariables in github.com/fluxcd/pkg/kustomize.
func TestSubstitutionOff(t *testing.T) {
	v := variablesOf(map[string]any{"KNOWN": "10m"})
	for _, field := range []string{"labels", "annotations"} {
		for value, want := range map[string]string{"disabled": "${KNOWN}", "enabled": "10m"} {
			res := resourceWith(t, "${KNOWN}")
			set := res.SetLabels
			if field == "annotations" {
				set = res.SetAnnotations
			}
			if err := set(map[string]string{substituteKey: value}); err != nil {
				t.Fatal(err)
			}
			obj, _, err := New(res).Substitute(v)
			if got := object.At(obj, "spec", "timeout"); err != nil || got != want {
				t.Errorf("%s %s: %v, %v, want %s", field, value, got, err, want)
			}
		}
	}
}
