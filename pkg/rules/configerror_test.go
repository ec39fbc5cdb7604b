package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

// everything is a configuration with every field set.
const everything = `
apiVersion: flux-remedy.io/v1alpha1
kind: RemediationPolicy
metadata: {name: x}
spec:
  defaultTier: staging
  tiers: [{tier: staging, paths: [a], namespaces: [b], clusters: [c]}]
  controller: {version: 1.6.3, gates: {A: true}, overrides: [{clusters: [a], version: 1.4.0, gates: {A: false}}]}
  law: {maxRetries: 3, statefulCharts: [a], tiers: {staging: {maxRetries: 4}}}
  rules: {x: {severity: info, params: {a: [1]}, tiers: {staging: {severity: error, params: {}}}}}
  waivers: {entries: [{rule: x, until: "2030-01-31", reason: why, owner: me, name: a, namespace: b}], annotations: {production: allow}}
  admission: {enforcement: {production: deny}}
  fix: {prefer: retry}
  ignore: [a]
`

// TestComparedAsAValidatorDoes changes every value of a configuration to wrong ones:
// there are as many mistakes as a JSON Schema validator finds.
func TestComparedAsAValidatorDoes(t *testing.T) {
	validator := configValidator(t)
	root := &schema{}
	if err := json.Unmarshal(configSchema, root); err != nil {
		t.Fatal(err)
	}
	var document any
	if err := yaml.Unmarshal([]byte(everything), &document); err != nil {
		t.Fatal(err)
	}
	refused := 0
	check := func() {
		c := &comparison{defs: root.Defs}
		c.compare(root, nil, document)
		if want := leavesOf(validator.Validate(document)); len(c.mistakes) != want {
			t.Errorf("mistakes %v, the validator finds %d in %v", c.mistakes, want, document)
		}
		refused += len(c.mistakes)
	}
	check()
	if refused > 0 {
		t.Errorf("%d mistakes in the correct configuration", refused)
	}
	everywhere(document, check)
	if refused < 200 {
		t.Errorf("only %d mistakes", refused)
	}
}

// everywhere runs a check on many variants of a document: each value replaced by
// others, each field removed, and an unknown field added to each object.
func everywhere(value any, check func()) {
	others := []any{true, 7.0, 1.5, -1.0, "x", []any{"x"}, []any{}, map[string]any{"x": 1.0}, map[string]any{}}
	switch holder := value.(type) {
	case map[string]any:
		holder["x-unknown"] = "x"
		check()
		delete(holder, "x-unknown")
		for _, key := range sortedKeys(holder) {
			was := holder[key]
			for _, other := range others {
				holder[key] = other
				check()
			}
			delete(holder, key)
			check()
			holder[key] = was
			everywhere(was, check)
		}
	case []any:
		for i, was := range holder {
			for _, other := range others {
				holder[i] = other
				check()
			}
			holder[i] = was
			everywhere(was, check)
		}
	}
}

func configValidator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(configSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("config.schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("config.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// leavesOf counts the errors of a validation that have no causes of their own.
func leavesOf(err error) int {
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return 0
	}
	if len(invalid.Causes) == 0 {
		return 1
	}
	n := 0
	for _, cause := range invalid.Causes {
		n += leavesOf(cause)
	}
	return n
}
