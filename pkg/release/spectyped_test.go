package release

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	helmv2 "github.com/fluxcd/helm-controller/api/v2"
	"sigs.k8s.io/yaml"
)

// sameSpec fails the test unless a spec is read as by way of JSON, and reports whether that
// was certain.
func sameSpec(t testing.TB, spec map[string]any) bool {
	t.Helper()
	sure := false
	for _, version := range Versions {
		object := map[string]any{"apiVersion": Group + "/" + version, "spec": spec}
		var got helmv2.HelmRelease
		want, err := typedByText(spec, hasStrategy(object, Controller{}))
		if sure = fillSpec(&got.Spec, spec, hasStrategy(object, Controller{})); !sure {
			continue
		}
		if err != nil || !reflect.DeepEqual(got.Spec, want.Spec) {
			t.Fatalf("%v\ngot %+v\nwant %+v, %v", spec, got.Spec, want, err)
		}
	}
	return sure
}

func TestFillSpec(t *testing.T) {
	for text, sure := range map[string]bool{
		`{"interval":"10m","timeout":"1h","suspend":true,"maxHistory":3,"install":{"strategy":{"name":"RetryOnFailure","retryInterval":"1m"},"remediation":{"retries":-1,"remediateLastFailure":true}}}`: true,
		`{"chart":{"spec":{"chart":"x","version":"1","sourceRef":{"kind":"HelmRepository","name":"y"},"valuesFiles":["a"]}},"dependsOn":[{"name":"x"}],"commonMetadata":{"labels":{"a":"b"}}}`:           true,
		`{"driftDetection":{"mode":"warn","ignore":[{"paths":["/a"],"target":{"kind":"b"}}]},"postRenderers":[{"kustomize":{"patches":[{"patch":"x","target":{"kind":"y"}}]}}]}`:                         true,
		`{"values":{"a":null},"unknown":[null],"Timeout":1,"install":{},"dependsOn":[]}`:                                                                                                                 true,
		`{"interval":null}`: false, `{"timeout":null}`: false, `{"interval":"x"}`: false, `{"interval":10}`: false, `{"timeout":""}`: false, `{"suspend":"true"}`: false, `{"maxHistory":1.5}`: false, `{"maxHistory":1e30}`: false,
		`{"maxHistory":-0}`: true, `{"install":[]}`: false, `{"install":{"remediation":{"retries":"3"}}}`: false, `{"dependsOn":{}}`: false, `{"dependsOn":[null]}`: false, `{"releaseName":{}}`: false, `{"chart":"x"}`: false,
		"{\"releaseName\":\"\xff\"}": true, // encoding/json has mended it
	} {
		var spec map[string]any
		if err := json.Unmarshal([]byte(text), &spec); err != nil {
			t.Fatal(err)
		}
		if got := sameSpec(t, spec); got != sure {
			t.Errorf("%s: sure: %t", text, got)
		}
	}
	if sameSpec(t, map[string]any{"releaseName": "\xff"}) {
		t.Error("sure of a text that is no UTF-8")
	}
}

// TestFillSpecExamples holds it to examples, most of which it must be sure of.
func TestFillSpecExamples(t *testing.T) {
	specs, sure := exampleSpecs(t), 0
	for _, spec := range specs {
		if sameSpec(t, spec) {
			sure++
		}
	}
	if sure < len(specs)*9/10 {
		t.Errorf("sure of %d of %d", sure, len(specs))
	}
}

// exampleSpecs returns the specs of the rules' examples.
func exampleSpecs(t testing.TB) (out []map[string]any) {
	t.Helper()
	files, err := filepath.Glob("../../policies/rules/*/*/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var object struct{ Spec map[string]any }
		if yaml.Unmarshal(data, &object) == nil {
			out = append(out, object.Spec)
		}
	}
	return out
}

// FuzzFillSpec holds it to reading by way of JSON wherever it is sure.
func FuzzFillSpec(f *testing.F) {
	for _, spec := range exampleSpecs(f) {
		text, err := json.Marshal(spec)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var spec map[string]any
		if json.Unmarshal(text, &spec) == nil {
			sameSpec(t, spec)
		}
	})
}
