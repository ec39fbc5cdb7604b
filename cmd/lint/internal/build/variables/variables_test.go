package variables

import (
	"maps"
	"testing"
)

// What is said twice: the last one holds. hack/flux/testdata/held-back holds the same to
// kustomize-controller.
func TestOf(t *testing.T) {
	ks := map[string]any{"spec": map[string]any{"postBuild": map[string]any{"substitute": map[string]any{"TIMEOUT": "3m", "LINES": "a\nb\n"}}}}
	references := []Reference{
		{Kind: "ConfigMap", Name: "first", Object: settings("ConfigMap", "data", "FIRST", "only", "INTERVAL", "1h", "TEXT", "first", "TIMEOUT", "1m")},
		{Kind: "ConfigMap", Name: "second", Object: settings("ConfigMap", "data", "INTERVAL", "2h", "TEXT", "second", "TIMEOUT", "2m")},
		{Kind: "Secret", Name: "third", Object: settings("Secret", "data", "TEXT", "ZGF0YQ==", "KEY", "ZGF0YQ==")},
	}
	references[2].Object["stringData"] = map[string]any{"TEXT": "c3RyaW5n"} // the API server lets it hold, as it is
	want := map[string]string{"FIRST": "only", "INTERVAL": "2h", "TEXT": "c3RyaW5n", "KEY": "data", "TIMEOUT": "3m", "LINES": "ab"}
	v := Of(ks, references)
	if !maps.Equal(v.Values, want) {
		t.Errorf("%v, want %v", v.Values, want)
	}
	if from := v.From["INTERVAL"].What; from != "ConfigMap /second" {
		t.Errorf("INTERVAL is from %s", from)
	}
}

// settings returns an object with a field of keys and values.
func settings(kind, field string, pairs ...string) map[string]any {
	data := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		data[pairs[i]] = pairs[i+1]
	}
	return map[string]any{"kind": kind, field: data}
}
