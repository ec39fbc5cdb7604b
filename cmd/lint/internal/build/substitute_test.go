package build

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

func TestSubstitute(t *testing.T) {
	v := Variables{
		On:      true,
		Values:  map[string]string{"KNOWN": "10m", "EMPTY": "", "NUMBER": "3"},
		unknown: map[string]string{"SECRET": "it is encrypted"},
	}
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
		obj, _, err := v.Substitute(newResource(resourceWith(t, text)))
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
	v := Variables{On: true, open: "Secret flux-system/vars is not in the tree"}
	obj, reasons, err := v.Substitute(newResource(resourceWith(t, "${A:=5m}")))
	if err != nil || object.At(obj, "spec", "timeout") != "flux-remedy-unknown.A." || reasons["A"] != v.open {
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
		known := Variables{On: true, Values: map[string]string{"A": value, "B": value}}
		got, reasons, err := known.Substitute(newResource(res))
		if err == nil && len(reasons) == 0 {
			want, ok := library(res, known.Values)
			if ok && !reflect.DeepEqual(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
		secret := Variables{On: true, unknown: map[string]string{"A": "secret"}, Values: map[string]string{}}
		obj, reasons, err := secret.Substitute(newResource(res))
		if err != nil || len(reasons) == 0 {
			return
		}
		data, _ := json.Marshal(obj)
		if strings.Contains(string(data), otherMarker) {
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
	obj, err := newResource(out).Object()
	return obj, err == nil
}

// What is substituted in values is what is substituted in the text of the whole object.
func FuzzSubstituteValues(f *testing.F) {
	for _, text := range []string{
		"${A}", "x-${A}", "${A}:${B}", "${A:=5m}", "${C:-}", "${C=d}", "- ${A}", "${A} # ${B}", "'${A}", "${A}, ${B}", "? ${A}", "${A}: x",
		"a very long text with spaces, longer than a line that an emitter writes: ${A} and ${B} and ${C:=default}, and so on and on", "$${A}", "$", "${",
		"a: ${A}\nb: [${B}, \"${A}\"] # ${C:-c}\n", "${A}\n\n  x ${B} ", "a\n${C:-}\nb", "a\n${C:-d}", "x\n - ${A}\n\n\n", "\"${A}\"\n# $${B}", "'\n${A}: \\${B}",
		"${U}", "./${A}/${U}", "${U:-d}: ${U}", "- ${U}", "${U}:", "a\n${U}\n", "${V} ${V:-d}", "${U}" + strings.Repeat(" ${A} ${U}", 30), marker + "X.${U}",
		"${C:=}#a b", "a ${C:=}#b", "${C:=}#" + strings.Repeat(strings.Repeat("a", 33)+" ", 3) + "${A}",
	} {
		for _, value := range []string{"10m", "yes", "3", "1.50", "0x1f", "1e3", "", "a b", "null", "2001-01-01", "x:y", "010"} {
			f.Add(text, value)
		}
	}
	pieces := []string{"${A}", "${B}", "${U}", "${U:=d}", "${C:-d}", "${C:-}", "${C}", "\n", "\n  ", " ", "a", "- ", ": ", "#", "\"", "'", "\\", "|", "&x", "{", "$(A)", "$", "long words to fold a line at "}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		text := ""
		for range 1 + random.IntN(14) {
			text += pieces[random.IntN(len(pieces))]
		}
		f.Add(text, []string{"10m", "1.50", "yes", "https://a.b/c/", "12:30"}[random.IntN(5)])
	}
	f.Fuzz(func(t *testing.T, text, value string) {
		obj := map[string]any{
			"apiVersion": "v1", "kind": "A", "metadata": map[string]any{"name": "a"},
			"spec": map[string]any{"list": []any{text, "x", []any{text}, map[string]any{"a": text}}, "text": text, "z": "1"},
		}
		v := Variables{On: true, Values: map[string]string{"A": value, "B": "b"}, unknown: map[string]string{"U": "secret"}}
		if !isPlainJSON(obj) {
			return
		}
		resource := &Resource{plain: obj}
		written, err := resource.text()
		if err != nil {
			t.Fatal(err)
		}
		reasons, err := new(Variables).missing(string(written))
		if over := resource.needs(); (over.Err != nil) != (err != nil) || !slices.Equal(over.Needs, slices.Sorted(maps.Keys(reasons))) {
			t.Errorf("%q needs %v, want %v, %v", text, over, reasons, err)
		}
		for _, v.open = range []string{"", "some are not in the tree"} {
			got, why, ok := v.inValues(obj)
			if !ok {
				continue
			}
			if want, reasons, err := v.inText(resource); err != nil || !reflect.DeepEqual(got, want) || !maps.Equal(why, reasons) {
				t.Errorf("%q with %q: got %v for %v, want %v for %v, %v", text, value, got, why, want, reasons, err)
			}
		}
	})
}

// Ordinary texts are substituted one by one.
func TestSubstituteValues(t *testing.T) {
	v := Variables{On: true, Values: map[string]string{"A": "10m"}}
	got, _, ok := v.inValues(map[string]any{"a": []any{"${A}", "x"}, "b": "in-${A}.${B:=d}", "c": 1.0})
	if want := map[string]any{"a": []any{"10m", "x"}, "b": "in-10m.d", "c": 1.0}; !ok || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, ok)
	}
	if got, reasons, ok := v.inValues(map[string]any{"a": "a: ${C}\n"}); !ok || got["a"] != "a: "+markerOf(marker, "C")+"\n" || reasons["C"] != Undefined {
		t.Errorf("got %v for %v, %v", got, reasons, ok)
	}
	if _, _, ok := v.inValues(map[string]any{"a": "${C}", "b": "${C:-d}"}); ok {
		t.Error("a default counts beside a use without one")
	}
	v.unknown = map[string]string{"U": "encrypted"}
	got, reasons, ok := v.inValues(map[string]any{"a": "in-${U}", "b": "${A}"})
	if want := map[string]any{"a": "in-" + markerOf(marker, "U"), "b": "10m"}; !ok || !reflect.DeepEqual(got, want) || !maps.Equal(reasons, v.unknown) {
		t.Errorf("got %v for %v, %v", got, reasons, ok)
	}
	v.Values["A"] = strings.Repeat("a", 1000)
	if _, _, ok := v.inValues(map[string]any{"a": slices.Repeat([]any{"${A}"}, 100)}); ok {
		t.Error("what may become large is not measured first")
	}
}

// A label or an annotation turns substitution off.
// Source: SubstituteVariables in github.com/fluxcd/pkg/kustomize.
func TestSubstitutionOff(t *testing.T) {
	v := Variables{On: true, Values: map[string]string{"KNOWN": "10m"}}
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
			obj, _, err := v.Substitute(newResource(res))
			if got := object.At(obj, "spec", "timeout"); err != nil || got != want {
				t.Errorf("%s %s: %v, %v, want %s", field, value, got, err, want)
			}
		}
	}
}
